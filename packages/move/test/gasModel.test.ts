import { expect, test } from "vitest";
import { useChain } from "@vipscore/testkit/adapter/adapterChain";
import { testGasModel } from "@vipscore/testkit/adapter/gasModel";
import { rowsOf, stageOne } from "@vipscore/testkit/adapter/rows";
import { startMove } from "./moveChain.ts";

const chain = useChain(() => startMove());

testGasModel(chain);

test("rows are priced in the given order", async () => {
  const contract = await (await chain().fund()).deploy("ours");
  const planned = rowsOf(50).map((row) => ({ ...row, current: undefined }));
  const at = { stage: stageOne, height: await contract.getHeight(), scores: new Map() };
  const priced = await contract.priceRows(planned, at);
  expect(priced.map(({ account, score }) => ({ account, score }))).toEqual(rowsOf(50));
});
