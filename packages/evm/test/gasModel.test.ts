import { createPublicClient, encodeFunctionData, http, type Address } from "viem";
import { expect, test } from "vitest";
import { shapes, useChain } from "@vipscore/testkit/adapter/adapterChain";
import { sendPriced, showRatios, testGasModel } from "@vipscore/testkit/adapter/gasModel";
import { done, rowsOf, stageOne, stageTwo, writeRows } from "@vipscore/testkit/adapter/rows";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import { vipScoreAbi as abi } from "../src/index.ts";
import { hardhat } from "./evmChain.ts";

const chain = useChain(hardhat.start);

testGasModel(chain);

test.each([100, 250])(
  "packed batches of %i known accounts stay close to the model: next stage, overwrite, sparse",
  async (size) => {
    const contract = await (await chain().fund()).deploy("ours");
    const table = rowsOf(size * 8);
    await writeRows(contract, table);
    await done(contract, { kind: "finalizeStage", stage: stageOne });
    const dense = table.slice(0, size * 2);
    const changed = dense.map(({ account, score }) => ({ account, score: score + 7n }));
    const sparse = table.slice(size * 2).filter((_, index) => index % 5 === 0);
    for (const [name, rows] of Object.entries({ "next stage": dense, overwrite: changed, sparse })) {
      const ratios = await sendPriced(contract, rows, { packed: true, at: stageTwo, size });
      // On minievm, a fixed amount dominates the receipt of a small batch; Hardhat does not add it.
      const { least, most } = showRatios(`packed, ${size} rows, ${name}`, ratios);
      expect(least).toBeGreaterThan(1);
      expect(most).toBeLessThanOrEqual(2);
    }
  },
);

test.each(shapes)("two new accounts around every boundary of the layout stay within the model: %s", async (shape) => {
  const contract = await (await chain().fund()).deploy(shape);
  await writeRows(contract, rowsOf(4094));
  await done(contract, { kind: "finalizeStage", stage: stageOne });
  // Ids 4095 and 4096: two groups, two buckets and two spans, all new in the stage.
  expect(await sendPriced(contract, rowsOf(2, 4094), { at: stageTwo })).toHaveLength(1);
});

test.each(shapes)("a full page and a lookup of a thousand accounts fit in one call on minievm: %s", async (shape) => {
  const contract = await (await chain().fund()).deploy(shape);
  const rows = rowsOf(1000);
  await writeRows(contract, rows);
  const addrs = rows.map(({ account }) => account);
  const calls =
    shape === "reference"
      ? [encodeFunctionData({ abi, functionName: "getScores", args: [1n, 0n, 1000n] })]
      : [
          encodeFunctionData({ abi, functionName: "getScoresFrom", args: [1n, 0, 1000n] }),
          encodeFunctionData({ abi, functionName: "idsOf", args: [addrs] }),
        ];
  const client = createPublicClient({ transport: http(chain().url, { timeout: hangBoundMs }) });
  for (const data of calls) {
    const gas = await client.estimateGas({ to: contract.identity.address as Address, data });
    console.log(`${shape}, ${data.slice(0, 10)}: ${gas}`);
    expect(gas).toBeLessThanOrEqual(10_000_000n);
  }
});
