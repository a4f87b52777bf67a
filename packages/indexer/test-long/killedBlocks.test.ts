import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { dumpDatabase } from "../test/follow/dumpDatabase.ts";

const program = join(import.meta.dirname, "..", "test", "follow", "heavyProcess.ts");
const kills = 50;
/** And more, while URIs are read. */
const killsOfUris = 20;
/** More than the kills let pass, each at most {@link maxBlocks} and what is written in {@link maxDelayMs}. */
const blocks = 5 * kills;
const maxBlocks = 2;
const maxDelayMs = 40;

/** When to kill the follower: after some of its lines from a height on, and then some time. */
interface Kill {
  readonly from: number;
  readonly lines: number;
  readonly delayMs: number;
}

/** Runs the follower, and kills it without warning or lets it finish. Returns the last height that it printed. */
async function follow(
  file: string,
  { kill, how = "" }: { readonly kill?: Kill; readonly how?: string } = {},
): Promise<number> {
  const child = spawn(process.execPath, ["--conditions=@vipscore/source", program, file, String(blocks), how], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  let height = 0;
  let lines = 0;
  for await (const line of createInterface(child.stdout)) {
    height = Number(line);
    if (kill === undefined || height < kill.from) continue;
    if (lines === kill.lines) setTimeout(() => child.kill("SIGKILL"), kill.delayMs);
    lines += 1;
  }
  expect(await ended).toEqual(kill === undefined ? [0, null] : [null, "SIGKILL"]);
  return height;
}

test(`a follower that is killed ${kills + killsOfUris} times while it writes heavy blocks and URIs leaves the same tables`, async () => {
  const random = seededRandom(fuzzSeed());
  const folder = await mkdtemp(join(tmpdir(), "vipscore-heavy-"));
  try {
    const [killed, whole] = [join(folder, "killed.sqlite"), join(folder, "whole.sqlite")];
    let height = 0;
    for (let done = 0; done < kills; done += 1) {
      const kill = { from: 0, lines: random.below(maxBlocks + 1), delayMs: random.below(maxDelayMs) };
      height = await follow(killed, { kill });
    }
    console.log(`killed ${kills} times, up to block ${height} of ${blocks}`);
    for (let done = 0; done < killsOfUris; done += 1) {
      // The line after the last block is the first one about URIs.
      const kill = { from: blocks, lines: 1 + random.below(5), delayMs: random.below(maxDelayMs) };
      await follow(killed, { kill });
    }
    await follow(killed);
    await follow(whole, { how: "together" });
    expect(dumpDatabase(killed)).toBe(dumpDatabase(whole));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
