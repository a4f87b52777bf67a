import { expect, test } from "vitest";
import { u64Max, type Account } from "@vipscore/core";
import { shapes, useChain } from "@vipscore/testkit/adapter/adapterChain";
import { testCosmosContract } from "@vipscore/testkit/adapter/cosmosContract";
import { longAccountOf, readRows, sorted, stageOne, writeRows } from "@vipscore/testkit/adapter/rows";
import { testScoreContract } from "@vipscore/testkit/adapter/scoreContract";
import { startWasm } from "./wasmChain.ts";

const chain = useChain(() => startWasm());

testScoreContract(chain, [999, 1000, 1001, 2300]);
testCosmosContract(chain);

test("pages of the largest rows fit a node's gas limit for queries", async () => {
  const contract = await (await chain().fund()).deploy("ours");
  const rows = Array.from({ length: 2300 }, (_, index) => ({
    account: longAccountOf(index),
    score: u64Max / 2400n + BigInt(index),
  }));
  await writeRows(contract, rows);
  expect(sorted(await readRows(contract))).toEqual(sorted(rows));
});

test.each(shapes)("a row of the zero address is read unchanged: %s", async (shape) => {
  const contract = await (await chain().fund()).deploy(shape);
  const account = `0x${"0".repeat(40)}` as Account;
  await writeRows(contract, [{ account, score: 7n }]);
  expect(await readRows(contract)).toEqual([{ account, score: 7n }]);
  expect(await contract.getScore(stageOne, account)).toBe(7n);
});
