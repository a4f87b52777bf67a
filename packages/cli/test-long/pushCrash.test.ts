import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { planPush, push, readScores, stage, verifyScores, type ScoreContract } from "@vipscore/core";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { until } from "@vipscore/testkit/until";
import { crashChains, type CrashChain } from "./crashChains.ts";

const rows = 100_000;
const kills = 10;
const seed = fuzzSeed();
const command = fileURLToPath(new URL("../src/bin.ts", import.meta.url));
const stageOne = stage(1n);

let chain: CrashChain;
let folder: string;
let contractAddress: string;

describe.each(Object.entries(crashChains))("on %s", (_vm, start) => {
  beforeAll(async () => {
    chain = await start();
    folder = mkdtempSync(join(tmpdir(), "vipscore-crash-"));
    writeFileSync(join(folder, "scores.csv"), makeCsv());
    const deployed = await run(["deploy", "--init-stage", "1", "--json"]);
    contractAddress = (JSON.parse(deployed) as { contract: { address: string } }).contract.address;
  });

  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await chain.stop();
  });

  it(`${rows} rows, killed ${kills} times at random moments and run once more: the chain equals the file`, async () => {
    const journal = join(folder, "journal.jsonl");
    for (let kill = 0; kill < kills; kill += 1) {
      const linesBefore = countLines(journal);
      const child = startPush(journal);
      const exited = once(child, "exit");
      const lines = linesBefore + 1 + randomBelow(chain.linesBetweenKills, `kill ${kill}`);
      await waitForLines(journal, lines, () => child.exitCode !== null);
      child.kill("SIGKILL");
      await exited;
    }
    const child = startPush(journal);
    const [status] = (await once(child, "exit")) as [number];
    expect(status).toBe(0);

    const table = await readScores(join(folder, "scores.csv"), { accountBytes: [20] });
    expect(await verifyScores(await connect(), stageOne, table)).toMatchObject({ agrees: true, accounts: rows });
    const written = await chain.countWrittenRows(contractAddress, stageOne);
    expect(written).toBe(rows);
    console.log(`${rows} accounts, ${kills} kills, ${written} rows written, ${countLines(journal)} journal lines`);
  });

  it("an undisturbed push in this process: measures the time for 100,000 changed rows", async () => {
    const table = await readScores(join(folder, "scores.csv"), { accountBytes: [20], scale: 1 });
    const contract = await connect();
    const started = performance.now();
    const plan = await planPush(contract, stageOne, table);
    expect(plan.counts.change).toBe(rows);
    let batches = 0;
    for await (const event of push(contract, plan)) if (event.type === "confirmed") batches += 1;
    const seconds = (performance.now() - started) / 1000;
    const rate = Math.round(rows / seconds);
    console.log(
      `${rows} rows changed and verified in ${seconds.toFixed(1)} s (${rate} per second), ${batches} batches`,
    );
  });
});

function connect(): Promise<ScoreContract> {
  return chain.connect(contractAddress);
}

function startPush(journal: string) {
  const args = ["push", "scores.csv", "--stage", "1", "--contract", contractAddress, "--journal", journal];
  return spawn(process.execPath, ["--conditions=@vipscore/source", command, ...args], {
    cwd: folder,
    env: environment(),
    stdio: ["ignore", "ignore", "inherit"],
  });
}

async function run(args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, ["--conditions=@vipscore/source", command, ...args], {
    cwd: folder,
    env: environment(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const [status] = (await once(child, "exit")) as [number];
  expect(status).toBe(0);
  return printed;
}

function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"], ...chain.env };
}

async function waitForLines(file: string, lines: number, isOver: () => boolean): Promise<void> {
  await until(`${lines} lines of ${file}`, () => countLines(file) >= lines || isOver());
}

function countLines(file: string): number {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").length - 1 : 0;
}

/** The n-th pseudo-random 32 bytes of this run, as hex. */
function randomHex(n: string): string {
  return createHash("sha256").update(`${seed}:${n}`).digest("hex");
}

function randomBelow(limit: number, n: string): number {
  return Number.parseInt(randomHex(n).slice(0, 12), 16) % limit;
}

function makeCsv(): string {
  const lines = Array.from({ length: rows }, (_, n) => {
    return `0x${randomHex(`account ${n}`).slice(0, 40)},${1 + randomBelow(1_000_000, `score ${n}`)}`;
  });
  return `address,score\n${lines.join("\n")}\n`;
}
