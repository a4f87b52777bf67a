import { expect, test } from "vitest";
import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { testGasModel } from "@vipscore/testkit/adapter/gasModel";
import { longAccountOf, rowsOf, stageOne } from "@vipscore/testkit/adapter/rows";
import { startMove } from "./moveChain.ts";

const chain = useChain(() => startMove());

testGasModel(chain);

test("rows are priced in the order of the table's keys", async () => {
  const contract = await (await chain().fund()).deploy("ours");
  const short = [...rowsOf(50)].sort((a, b) => (a.account < b.account ? -1 : 1));
  const rows = [...short, { account: longAccountOf(1), score: 1n }];
  const planned = rows.toReversed().map((row) => ({ ...row, current: undefined }));
  const at = { stage: stageOne, height: await contract.getHeight(), scores: new Map() };
  const priced = await contract.priceRows(planned, at);
  expect(priced.map(({ account, score }) => ({ account, score }))).toEqual(rows);
});
