import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Option, type Command } from "commander";
import { InputError, systemErrorCode } from "@vipscore/core";
import { nodeEnvironment } from "@vipscore/core/nodeEnvironment";
import { group } from "@vipscore/core/values";
import type { Context } from "../context.ts";
import { findContract, openRollup } from "../contract/connect.ts";
import { optionalPackage } from "../optionalPackage.ts";
import {
  parseAccountArgument,
  withConnectionOptions,
  withKeyOption,
  withOutputOptions,
  withPackage,
} from "../options.ts";
import type { Rollup } from "../rollup/rollup.ts";
import { readSettings, type ConnectionFlags } from "../settings/readSettings.ts";
import { forEachLine } from "./watch/rows.ts";

interface MoveFlags extends ConnectionFlags {
  readonly namedAddress: readonly string[];
}

export function addMove(move: Command, context: Context): void {
  withNames(withKeyOption(withConnectionOptions(move.command("build [folder]"))))
    .description("compile a package into its folder `build`")
    .addHelpText("after", `\n${openNames}\n\nExample:\n  $ vipscore move build`)
    .action((folder: string | undefined, flags: MoveFlags) => build(context, folder, flags));
  withNames(withOutputOptions(move.command("test [folder]")))
    .description("run the unit tests of a package")
    .addHelpText(
      "after",
      "\nNames that Move.toml leaves open get made-up addresses.\n\nExample:\n  $ vipscore move test",
    )
    .action((folder: string | undefined, flags: MoveFlags) => test(context, folder, flags));
  withNames(withKeyOption(withConnectionOptions(move.command("publish [folder]"))))
    .description("compile a package and publish its modules, or replace them by their next version")
    .addHelpText("after", `\n${openNames}\n\nExample:\n  $ vipscore move publish`)
    .action((folder: string | undefined, flags: MoveFlags) => publish(context, folder, flags));
}

/** The name of the module of scores, and of its address in a package that calls it. */
const scoringName = "vip_score";

const openNames = `Names that Move.toml leaves open (_) get the signer's address, and ${scoringName} that of the scoring contract.`;

function withNames(command: Command): Command {
  return withPackage(command, "@vipscore/localnet").addOption(
    new Option("--named-address <name=address>", "address of a name in Move.toml; repeatable")
      .argParser((text, earlier: readonly string[]) => [...earlier, text])
      .default([], "none"),
  );
}

async function build(context: Context, folder = ".", flags: MoveFlags): Promise<void> {
  const open = await findOpenNames(context, folder, flags);
  const named = open.length === 0 ? [] : await nameFrom(context, open, flags, await openMoveRollup(context, flags));
  await compile(context, "build", folder, [...flags.namedAddress, ...named]);
  const { output } = context;
  output.print(`${output.paint("green", "built")}      ${join(folder, "build")}`);
  output.json({ command: "move build", folder });
}

async function test(context: Context, folder = ".", flags: MoveFlags): Promise<void> {
  const open = await findOpenNames(context, folder, flags);
  const named = open.map((name, index) => `${name}=0x${(0xa0 + index).toString(16)}`);
  await compile(context, "test", folder, [...flags.namedAddress, ...named]);
  context.output.json({ command: "move test", folder });
}

async function publish(context: Context, folder = ".", flags: MoveFlags): Promise<void> {
  const { io, output } = context;
  const open = await findOpenNames(context, folder, flags);
  const rollup = await openMoveRollup(context, flags);
  await compile(context, "build", folder, [...flags.namedAddress, ...(await nameFrom(context, open, flags, rollup))]);
  const { modules, hash, height, gasUsed } = await rollup.publish(resolve(io.cwd, folder));
  const address = parseAccountArgument(rollup.signerAddress ?? "", "move");
  const names = modules.map((name) => `${address}::${name}`);
  output.print(
    `${output.paint("green", "published")}  ${names.join(", ")}   (block ${group(height)}, transaction ${hash})`,
  );
  output.json({ command: "move publish", folder, address, modules, transaction: { hash, height, gasUsed } });
}

async function openMoveRollup(context: Context, flags: MoveFlags): Promise<Rollup & Required<Pick<Rollup, "publish">>> {
  const rollup = await openRollup(context, await readSettings(context, flags), flags, "required");
  if (canPublish(rollup)) return rollup;
  throw new InputError("the endpoint is that of a rollup without Move", { code: "CONFIG_INVALID" });
}

function canPublish(rollup: Rollup): rollup is Rollup & Required<Pick<Rollup, "publish">> {
  return rollup.publish !== undefined;
}

/** Returns the names to which neither Move.toml nor a flag gives an address. */
async function findOpenNames({ io }: Context, folder: string, { namedAddress }: MoveFlags): Promise<readonly string[]> {
  const file = join(folder, "Move.toml");
  const text = await readFile(resolve(io.cwd, file), "utf8").catch((cause: unknown) => {
    const message = `${file} cannot be read (${systemErrorCode(cause)}): name the folder of a Move package`;
    throw new InputError(message, { code: "FILE_UNREADABLE", cause });
  });
  const [, addresses = ""] = /^\[addresses\]([^[]*)/m.exec(text) ?? [];
  const open = [...addresses.matchAll(/^\s*(\w+)\s*=\s*["']_["']/gm)].map(([, name = ""]) => name);
  return open.filter((name) => namedAddress.every((given) => !given.startsWith(`${name}=`)));
}

async function nameFrom(
  context: Context,
  open: readonly string[],
  flags: MoveFlags,
  rollup: Rollup,
): Promise<readonly string[]> {
  const own = parseAccountArgument(rollup.signerAddress ?? "", "move");
  const named: string[] = [];
  for (const name of open) {
    const isScores = name === scoringName;
    const address = isScores ? await findContract(context, await readSettings(context, flags), rollup) : { value: own };
    named.push(`${name}=${address.value}`);
  }
  return named;
}

/** Runs the compiler of the local chain's program. @throws InputError if it fails, after it has printed why. */
async function compile(
  { io, output }: Context,
  action: "build" | "test",
  folder: string,
  named: readonly string[],
): Promise<void> {
  const { prepareVipnodes, vipnodeBuildNotes } = await optionalPackage("@vipscore/localnet");
  const onProgress = vipnodeBuildNotes(["move"], output);
  const [program = ""] = await prepareVipnodes({ vms: ["move"], signal: io.signal, onProgress });
  const child = spawn(program, [action, folder, ...named.flatMap((each) => ["--named-address", each])], {
    cwd: io.cwd,
    env: nodeEnvironment(io.env),
    stdio: ["ignore", "pipe", "pipe"],
    signal: io.signal,
  });
  forEachLine(child.stdout, (line) => output.print(line));
  forEachLine(child.stderr, (line) => output.note(line));
  const status = await new Promise<number | null>((done, reject) => {
    child.once("error", reject);
    child.once("close", done);
  });
  if (status !== 0) throw new InputError(`the ${action} of ${folder} failed with status ${status}`);
}
