import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import fc from "fast-check";
import { expect, test } from "vitest";
import { startHardhat } from "@vipscore/localnet";
import { readDemoNft } from "@vipscore/testkit/demoNft";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { Wallet } from "../test/evm/wallet.ts";
import { dumpDatabase } from "../test/follow/dumpDatabase.ts";
import { live, steps } from "../test/follow/randomLife.ts";

const program = join(import.meta.dirname, "..", "test", "follow", "followProcess.ts");
const seed = fuzzSeed();

/** Runs the follower until a line, then kills it without warning. */
async function followUntil(isLast: (line: string) => boolean, rpcUrl: string, file: string): Promise<void> {
  const child = spawn(process.execPath, ["--conditions=@vipscore/source", program, rpcUrl, file], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  try {
    for await (const line of createInterface(child.stdout)) if (isLast(line)) child.kill("SIGKILL");
    expect(await ended).toEqual([null, "SIGKILL"]);
  } finally {
    child.kill("SIGKILL");
  }
}

test("a follower that is killed repeatedly leaves the same database as one that never was", async () => {
  const folder = await mkdtemp(join(tmpdir(), "vipscore-killed-"));
  const node = await startHardhat();
  try {
    const nft = await new Wallet(node.rpcUrl).deploy(await readDemoNft(), "Killed", "KILL");
    const [life] = fc.sample(steps, { seed, numRuns: 1 });
    await live(nft, life ?? []);
    const head = 1 + (life?.length ?? 0);
    const [killed, whole] = [join(folder, "killed.sqlite"), join(folder, "whole.sqlite")];
    const stored = (height: number) => (line: string) => Number(line) >= height;
    const settled = (line: string) => line === "settled";
    for (const part of [1, 2, 3, 4]) await followUntil(stored(Math.ceil((head * part) / 5)), node.rpcUrl, killed);
    // No URI is read before all blocks are.
    await followUntil(settled, node.rpcUrl, killed);
    await followUntil(settled, node.rpcUrl, whole);
    expect(dumpDatabase(killed)).toBe(dumpDatabase(whole));
  } finally {
    await node.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
