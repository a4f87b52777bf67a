import { expect, test } from "vitest";
import { vms } from "@vipscore/core/values";
import type { Rollup } from "../../page/src/rollup.ts";
import { findOpenStage, readers, readStanding } from "../../page/src/scores.ts";
import { addressOf, csvOf, openTestFolder, startNode } from "../harness.ts";

// The rehearsal of a release opens the page in Chromium.

/** JavaScript rounds it as a number. */
const most = 2n ** 53n + 1n;
const [best, none] = [addressOf(0xbe57), addressOf(0x0e)];

test.each(vms)("a page reads stages, scores and all rows on %s", async (vm) => {
  const node = await startNode(vm);
  await using folder = await openTestFolder(node);
  const url = "restUrl" in node ? String(node.restUrl) : node.rpcUrl;
  const rollup: Rollup = { vm, url, contract: await folder.deploy() };
  const csv = `${csvOf(1_002)}${best},${most}\n`;
  await folder.write("scores.csv", csv);
  await folder.ok(["push", "scores.csv", "--stage", "1"]);
  expect(await findOpenStage(rollup)).toBe(1n);

  const { readPages, readScore, readStage } = await readers[vm]();
  const lines: string[] = [];
  for await (const rows of readPages(rollup, 1n))
    lines.push(...rows.map(({ account, score }) => `${account},${score}`));
  expect(lines.sort()).toEqual(csv.trim().split("\n").slice(1).sort());
  const scores = lines.map((line) => BigInt(line.split(",")[1] ?? ""));
  const total = scores.reduce((sum, score) => sum + score, 0n);
  expect(await readStanding(rollup, 1n, best)).toEqual({ score: most, rank: 1, accounts: 1_003, total });
  const [account = "", score = ""] = lines[500]?.split(",") ?? [];
  const rank = scores.filter((each) => each > BigInt(score)).length + 1;
  expect(await readStanding(rollup, 1n, account)).toMatchObject({ score: BigInt(score), rank });
  expect(await readStanding(rollup, 1n, none)).toBeUndefined();
  expect(await readStage(rollup, 9n)).toMatchObject({ exists: false });

  await folder.ok(["finalize", "--stage", "1", "--file", "scores.csv", "--yes"]);
  expect(await findOpenStage(rollup)).toBe(2n);
  expect(await readScore(rollup, 1n, best)).toBe(most);
  await expect(readStage({ ...rollup, contract: account }, 1n)).rejects.toThrow(/getStage|status [45]/);
});
