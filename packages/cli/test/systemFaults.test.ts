import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { constants } from "node:os";
import { resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { started } from "@vipscore/testkit/started";
import { csvOf, startTestChain } from "./harness.ts";

const chain = started(() => startTestChain());
beforeAll(async () => {
  await chain.deploy();
  await chain.write("scores.csv", csvOf(3));
  await chain.write("proposal.json", "{}");
  await chain.ok(["push", "scores.csv", "--stage", "1"]);
});

/** What Node has of these calls, by the name of the system's. */
const calls = {
  open: ["open", "openSync"],
  scandir: ["readdir"],
  mkdir: ["mkdir"],
  mkdtemp: ["mkdtemp"],
  rename: ["rename"],
  unlink: ["rm", "rmSync"],
  write: ["writeFile", "appendFile"],
  read: ["readFile", "readFileSync"],
  lstat: ["lstat"],
  stat: ["stat", "statSync"],
  access: ["access"],
} as const;
type SystemCall = keyof typeof calls;

const codes =
  "EACCES EBUSY EDQUOT EEXIST EFBIG EIO EISDIR ELOOP EMFILE ENAMETOOLONG ENFILE ENOSPC ENOTDIR EPERM EROFS ETXTBSY EXDEV".split(
    " ",
  );

/**
 * Lets the n-th of these calls below the folder fail until the function ends.
 *
 * @returns how many calls there were.
 */
async function failing(call: SystemCall, code: string, turn: number, work: () => Promise<void>): Promise<number> {
  let met = 0;
  const fault = (path: unknown): Error | undefined => {
    const isOwn = typeof path === "string" && resolve(chain.cwd, path).startsWith(chain.cwd);
    if (!isOwn || (met += 1) !== turn) return undefined;
    const errno = -((constants.errno as Readonly<Record<string, number>>)[code] ?? 0);
    return Object.assign(new Error(`${code}: refused, ${call} '${path}'`), { code, errno, syscall: call, path });
  };
  const restored: (() => void)[] = [];
  const replace = (
    target: object,
    name: string,
    how: (real: Function, ...args: readonly unknown[]) => unknown,
  ): void => {
    const real: unknown = Reflect.get(target, name);
    if (typeof real !== "function") return;
    Reflect.set(target, name, (...args: readonly unknown[]) => how(real, ...args));
    restored.push(() => void Reflect.set(target, name, real));
  };
  for (const name of calls[call]) {
    replace(fs.promises, name, (real, ...args) => {
      const error = fault(args[0]);
      return error === undefined ? Reflect.apply(real, fs.promises, args) : Promise.reject(error);
    });
    replace(fs, name, (real, ...args) => {
      const error = fault(args[0]);
      if (error === undefined) return Reflect.apply(real, fs, args);
      if (name.endsWith("Sync")) throw error;
      return (args.at(-1) as (cause: Error) => unknown)(error);
    });
  }
  syncBuiltinESMExports();
  try {
    await work();
    return met;
  } finally {
    for (const restore of restored) restore();
    syncBuiltinESMExports();
  }
}

let files = 0;
const commands: readonly (readonly [string, () => readonly string[]])[] = [
  ["status", () => ["status"]],
  ["push", () => ["push", "scores.csv", "--stage", "1"]],
  ["verify", () => ["verify", "scores.csv", "--stage", "1"]],
  ["export", () => ["export", "--stage", "1", "--out", `export${(files += 1)}.csv`]],
  ["report", () => ["report", "--stage", "1", "--out", `report${(files += 1)}.html`]],
  ["deploy", () => ["deploy", "--init-stage", "1"]],
  ["new", () => ["new", "evm", `project${(files += 1)}`]],
  ["score new", () => ["score", "new", "nft-holders", `policy${(files += 1)}`]],
  ["verify-proof", () => ["verify-proof", "proposal.json"]],
  [
    "--unsigned",
    () => [
      "members",
      "add",
      `0x${"11".repeat(20)}`,
      "--unsigned",
      `call${(files += 1)}.json`,
      "--from",
      `0x${"22".repeat(20)}`,
    ],
  ],
];

test.each(commands)("no refusal of the system in %s is called a bug", async (_, argsOf) => {
  let faults = 0;
  for (const call of Object.keys(calls) as SystemCall[]) {
    for (const [at, code] of codes.entries()) {
      // With each code, another one of the first calls.
      const turn = 1 + (at % 5);
      const met = await failing(call, code, turn, async () => {
        const { status, stderr } = await chain.cli([...argsOf(), "--json"]);
        expect({ call, code, status, stderr }).not.toMatchObject({ status: 1 });
      });
      if (met >= turn) faults += 1;
      if (met === 0) break;
    }
  }
  expect(faults).toBeGreaterThan(codes.length);
});
