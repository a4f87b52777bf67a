import { expect, test } from "vitest";
import { startHardhat, startVipnode, type LocalNode } from "@vipscore/localnet";
import { addressOf, openTestFolder } from "./harness.ts";

const u64Max = 2n ** 64n - 1n;
/** Scores that a JavaScript number cannot represent; the total of each table fits a u64. */
const tables: readonly (readonly bigint[])[] = [
  [u64Max],
  [2n ** 53n + 1n, 2n ** 63n - 1n, u64Max - 2n ** 63n - 2n ** 53n],
];

const nodes: readonly (readonly [string, () => Promise<LocalNode>])[] = [
  ["EVM", () => startHardhat()],
  ["Move", () => startVipnode({ vm: "move" })],
  ["Wasm", () => startVipnode({ vm: "wasm" })],
];

test.each(nodes)("on %s, scores up to 2^64 - 1 survive exactly from file to chain to file", async (_vm, start) => {
  await using folder = await openTestFolder(await start());
  await folder.deploy();
  for (const [index, scores] of tables.entries()) {
    const stage = `${index + 1}`;
    const lines = scores.map((score, row) => `${addressOf(0xabc000 + row)},${score}`);
    const total = scores.reduce((sum, score) => sum + score, 0n).toString();
    await folder.write("scores.csv", `address,score\n${lines.join("\n")}\n`);
    await folder.ok(["push", "scores.csv", "--stage", stage]);
    expect(await folder.ok(["status", "--stage", stage])).toMatchObject({ stages: [{ stage, total }] });
    const exported = await folder.cli(["export", "--stage", stage, "--address-form", "hex"]);
    expect(exported.stdout.trim().toLowerCase().split("\n").slice(1).sort()).toEqual([...lines].sort());
    const finalized = await folder.ok(["finalize", "--stage", stage, "--file", "scores.csv", "--yes"]);
    expect(finalized).toMatchObject({
      verification: { agrees: true, total: { file: total, contract: total, rows: total } },
    });
  }
});
