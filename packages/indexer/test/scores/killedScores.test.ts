import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, onTestFinished, test } from "vitest";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { isLong } from "@vipscore/testkit/isLong";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { openStore } from "../../src/store/openStore.ts";
import { databases } from "../store/databases.ts";
import { expectServed } from "./followingScores.ts";
import { playedLife } from "./playedLife.ts";

const program = join(import.meta.dirname, "scoresProcess.ts");
const seed = fuzzSeed();
const kills = isLong ? 30 : 4;
/** When it is killed: after some of its lines, and then some time. */
const [mostLines, mostDelayMs] = [400 / kills / 2, 12];

/** Runs the follower, and kills it without warning or lets it end. Returns the last height that it printed. */
async function follow(database: string, kill?: { readonly lines: number; readonly delayMs: number }): Promise<number> {
  const args = ["--conditions=@vipscore/source", program, database, String(seed)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  let [height, lines] = [0, 0];
  try {
    for await (const line of createInterface(child.stdout)) {
      height = Number(line);
      if (lines === kill?.lines) setTimeout(() => child.kill("SIGKILL"), kill.delayMs);
      lines += 1;
    }
    expect(await ended).toEqual(kill === undefined ? [0, null] : [null, "SIGKILL"]);
  } finally {
    child.kill("SIGKILL");
  }
  return height;
}

describe.each(databases.filter(([name]) => !name.includes("memory")))("%s", (_name, create) => {
  test(`a follower that is killed ${kills} times has the contract's scores afterwards`, async () => {
    const random = seededRandom(seed);
    const database = await create();
    let height = 0;
    for (let killed = 0; killed < kills; killed += 1)
      height = await follow(database, { lines: random.below(mostLines), delayMs: random.below(mostDelayMs) });
    expect(height).toBeGreaterThan(kills);
    await follow(database);
    const store = await openStore(database);
    onTestFinished(() => store.close());
    await expectServed(store, playedLife(seed));
    expect((await store.scores.read())?.differences).toBe(0);
  });
});
