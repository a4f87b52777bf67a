import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callContract, readScores, stage, verifyScores } from "@vipscore/core";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { crashChains, type CrashChain } from "./crashChains.ts";

/** 30 kills a VM; the events of a chain, which are counted after each, would take longer and longer. */
const killsOfChain = 10;
const cases = Object.keys(crashChains).flatMap((vm) => [1, 2, 3].map((part) => [vm, part] as const));
const steps = ["bytes", "line", "send", "request", "full"] as const;
/** What the run after a killed one does. Restarting the node empties its mempool. */
const followUps = ["same", "same", "restart", "other", "prune", "cut"] as const;
/** Enough for several transactions. */
const rows: Readonly<Record<string, number>> = { EVM: 3_000, Move: 20_000, Wasm: 6_000 };
const command = fileURLToPath(new URL("../src/bin.ts", import.meta.url));
const killAt = fileURLToPath(new URL("killAt.mjs", import.meta.url));

let chain: CrashChain;
let folder: string;
let address: string;

describe.each(cases)("on %s, part %d", (vm, part) => {
  const accounts = rows[vm] ?? 0;
  const random = seededRandom(1_000 * fuzzSeed() + part);

  beforeAll(async () => {
    const start = crashChains[vm];
    if (start === undefined) throw new Error(`no chain for ${vm}`);
    chain = await start({ blockTimeMs: 500 });
    folder = mkdtempSync(join(tmpdir(), "vipscore-killed-"));
    writeFileSync(join(folder, "scores.csv"), makeCsv(accounts, 1));
    writeFileSync(join(folder, "other.csv"), makeCsv(accounts, 2));
    const { stdout } = await run(["deploy", "--init-stage", "1", "--json"]);
    ({ address } = (JSON.parse(stdout) as { contract: { address: string } }).contract);
  });

  afterAll(async () => {
    await chain.stop();
    rmSync(folder, { recursive: true });
  });

  it.each(Array.from({ length: killsOfChain }, (_, n) => n))("kill %d", async (n) => {
    const current = stage(BigInt(n + 1));
    const step = random.pick(steps);
    const followUp = random.pick(
      chain.restart === undefined ? followUps.filter((each) => each !== "restart") : followUps,
    );
    const number = 1 + random.below(step === "send" ? 6 : 2);
    const journal = join(folder, `journal-${n}.jsonl`);
    const push = (file: string, options: { readonly prune?: boolean; readonly env?: NodeJS.ProcessEnv } = {}) =>
      run(
        ["push", file, "--stage", `${current}`, "--contract", address, "--journal", journal].concat(
          options.prune === true ? "--prune" : [],
        ),
        options.env,
      );
    const killed = await push("scores.csv", { env: { KILL_AT: `${step}:${number}` } });
    if (killed.status !== 0) {
      if (step === "full")
        expect(killed).toMatchObject({ status: 2, stderr: expect.stringContaining("FILE_UNWRITABLE") as string });
      else expect(killed.signal).toBe("SIGKILL");
    }
    if (followUp === "restart") await chain.restart?.();
    if (followUp === "cut") cutLastLine(journal);
    const file = followUp === "other" ? "other.csv" : "scores.csv";
    const again = await push(file, { prune: followUp === "prune" });
    console.log(
      `${vm} ${part}.${n}: ${step} ${number}, ${followUp}: ${again.firstBatch} s to the first batch, ${again.seconds} s in all`,
    );
    expect(again).toMatchObject({ status: 0 });
    expect(existsSync(`${journal}.signed`)).toBe(false);
    // Nothing that a node may still have held for two more blocks changes what was verified.
    const contract = await chain.connect(address);
    const height = await contract.getHeight();
    await expect.poll(() => contract.getHeight()).toBeGreaterThan(height + 2n);
    const table = await readScores(join(folder, file), { accountBytes: [20] });
    expect(await verifyScores(contract, current, table)).toMatchObject({ agrees: true });
    const written = await chain.countWrittenRows(address, current);
    const most = followUp === "other" ? 2 * accounts : accounts;
    expect(written).toBeLessThanOrEqual(most);
    // A node that stops after a block may not have put its transactions into the index, which has their events.
    if (followUp !== "other" && followUp !== "restart") expect(written).toBe(accounts);
    await callContract(contract, { kind: "finalizeStage", stage: current });
  });
});

function cutLastLine(journal: string): void {
  const text = readFileSync(journal, "utf8").trimEnd();
  writeFileSync(journal, text.slice(0, Math.max(text.lastIndexOf("\n") + 1, text.length - 30)));
}

async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const started = performance.now();
  const seconds = (): number => Math.round((performance.now() - started) / 100) / 10;
  const child = spawn(process.execPath, ["--import", killAt, "--conditions=@vipscore/source", command, ...args], {
    cwd: folder,
    env: { PATH: process.env["PATH"], ...chain.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  let firstBatch: number | undefined;
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
    if (/^batch /m.test(stderr)) firstBatch ??= seconds();
  });
  const [status, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  return { status, signal, stdout, stderr, firstBatch, seconds: seconds() };
}

function makeCsv(accounts: number, factor: number): string {
  const lines = Array.from(
    { length: accounts },
    (_, n) => `0x${(n + 1).toString(16).padStart(40, "0")},${factor * (n + 1)}`,
  );
  return `address,score\n${lines.join("\n")}\n`;
}
