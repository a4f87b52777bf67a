import { stage, type ScoreRow, type Stage } from "@vipscore/core";
import { startHardhat, type LocalNode } from "@vipscore/localnet";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { hangBoundMs } from "@vipscore/testkit/hangBound";
import fc from "fast-check";
import { createPublicClient, encodeFunctionData, http } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EvmScoreContract } from "../src/evmScoreContract.ts";
import { vipScoreAbi } from "../src/index.ts";
import { toAccount } from "../src/toAccount.ts";
import {
  accountOf,
  deployer,
  deployShape,
  readRows,
  rowsOf,
  stageOne,
  write,
  writeRows,
  type Shape,
} from "./testContract.ts";

const seed = fuzzSeed();
const stageTwo = stage(2n);

let node: LocalNode;
beforeAll(async () => {
  node = await startHardhat();
});
afterAll(() => node.stop());

/** Prices rows as a push does, sends them in contiguous batches with exactly that gas, and gives each batch's figures. */
async function send(
  contract: EvmScoreContract,
  at: Stage,
  rows: readonly ScoreRow[],
  batchRows: number,
  { packed = false } = {},
) {
  const height = await contract.getHeight();
  const held = new Map((await readRows(contract, at, height)).map(({ account, score }) => [account, score]));
  const planned = rows.map((row) => ({ ...row, current: held.get(row.account) }));
  const priced = await contract.priceRows(planned, { stage: at, height, packed });
  expect(new Set(priced.map(({ account }) => account))).toEqual(new Set(rows.map(({ account }) => account)));
  expect(priced).toHaveLength(rows.length);
  const { baseGas } = await contract.getLimits();
  const batches = [];
  for (let start = 0; start < priced.length;) {
    const most = priced.slice(start, start + batchRows);
    const other = most.findIndex((row) => row.packed !== most[0]?.packed);
    const batch = other === -1 ? most : most.slice(0, other);
    const modelled = batch.reduce((sum, { gas }) => sum + gas, baseGas);
    const call = { kind: "updateScores", stage: at, rows: batch, packed: batch[0]?.packed === true } as const;
    const outcome = await write(contract, call, modelled);
    batches.push({ rows: batch.length, modelled, used: outcome.gasUsed, succeeded: outcome.succeeded });
    start += batch.length;
  }
  return batches;
}

type Batches = Awaited<ReturnType<typeof send>>;

function ratioOf({ modelled, used }: Batches[number]): number {
  return Number(modelled) / Number(used);
}

describe.each<Shape>(["ours", "reference"])("%s", (shape) => {
  test.each([100, 250])("batches of %i rows are modelled closely: first sight, overwrite, next stage", async (size) => {
    const contract = await deployShape(node.rpcUrl, shape);
    const figures = {
      firstSight: await send(contract, stageOne, rowsOf(size * 2), size),
      overwrite: await send(
        contract,
        stageOne,
        rowsOf(size * 2).map(({ account, score }) => ({ account, score: score + 7n })),
        size,
      ),
      nextStage: [] as Batches,
    };
    await write(contract, { kind: "finalizeStage", stage: stageOne });
    figures.nextStage = await send(contract, stageTwo, rowsOf(size * 2), size);
    for (const [name, batches] of Object.entries(figures)) {
      const ratios = batches.map((batch) => ratioOf(batch).toFixed(3));
      console.log(`${shape}, ${size} rows, ${name}: modelled/used ${ratios.join(", ")}`);
      expect(batches.every(({ succeeded }) => succeeded)).toBe(true);
      expect(Math.min(...batches.map(ratioOf))).toBeGreaterThanOrEqual(1);
      expect(Math.max(...batches.map(ratioOf))).toBeLessThanOrEqual(1.35);
    }
  });

  test.each([100, 250])(
    "packed batches of %i rows are modelled closely: next stage, overwrite, sparse",
    async (size) => {
      if (shape === "reference") return;
      const contract = await deployShape(node.rpcUrl, shape);
      const table = rowsOf(size * 8);
      await writeRows(contract, table);
      await write(contract, { kind: "finalizeStage", stage: stageOne });
      const dense = table.slice(0, size * 2);
      const sparse = table.slice(size * 2).filter((_, index) => index % 5 === 0);
      const figures = {
        nextStage: await send(contract, stageTwo, dense, size, { packed: true }),
        overwrite: await send(
          contract,
          stageTwo,
          dense.map(({ account, score }) => ({ account, score: score + 7n })),
          size,
          { packed: true },
        ),
        sparse: await send(contract, stageTwo, sparse, size, { packed: true }),
      };
      for (const [name, batches] of Object.entries(figures)) {
        const ratios = batches.map((batch) => `${ratioOf(batch).toFixed(3)} (${batch.used} of ${batch.modelled})`);
        console.log(`packed, ${size} rows, ${name}: modelled/used ${ratios.join(", ")}`);
        expect(batches.every(({ succeeded }) => succeeded)).toBe(true);
        expect(Math.min(...batches.map(ratioOf))).toBeGreaterThanOrEqual(1);
        // Much of a small batch is the fixed part of a receipt on minievm, which Hardhat does not have.
        expect(Math.max(...batches.map(ratioOf))).toBeLessThanOrEqual(2);
      }
    },
  );

  test.each([false, true])("random batches never need more than was modelled, packed: %s", async (packed) => {
    const contract = await deployShape(node.rpcUrl, shape);
    // 600 accounts are known, half of them have a score in the stage that is written.
    await writeRows(contract, rowsOf(600));
    await write(contract, { kind: "finalizeStage", stage: stageOne });
    await writeRows(
      contract,
      rowsOf(600).filter((_, index) => index % 2 === 0),
      stageTwo,
    );

    const score = fc.oneof(fc.constant(0n), fc.bigInt(1n, 2n ** 50n));
    const row = fc.record({ index: fc.nat(1200), score });
    const rows = fc.uniqueArray(row, { minLength: 1, maxLength: 300, selector: ({ index }) => index });
    const scenario = fc.record({ rows, batchRows: fc.integer({ min: 1, max: 120 }) });
    await fc.assert(
      fc.asyncProperty(scenario, async ({ rows: drawn, batchRows }) => {
        const table = drawn.map(({ index, score: drawnScore }) => ({ account: accountOf(index), score: drawnScore }));
        for (const { modelled, used, succeeded } of await send(contract, stageTwo, table, batchRows, {
          packed: packed && shape === "ours",
        })) {
          expect(succeeded).toBe(true);
          expect(used).toBeLessThanOrEqual(modelled);
        }
      }),
      { seed, numRuns: fuzzRuns(10), endOnFailure: true },
    );
  });

  test("two new accounts on both sides of every boundary of the layout fit", async () => {
    const contract = await deployShape(node.rpcUrl, shape);
    await writeRows(contract, rowsOf(4094));
    await write(contract, { kind: "finalizeStage", stage: stageOne });
    // Ids 4095 and 4096: two groups, two buckets and two spans, none of which the stage has yet.
    const [batch] = await send(contract, stageTwo, rowsOf(2, 4094), 2);
    expect(batch?.succeeded).toBe(true);
  });

  test("a full page and a look-up of a thousand accounts fit a call on minievm", async () => {
    const contract = await deployShape(node.rpcUrl, shape);
    const rows = rowsOf(1000);
    await writeRows(contract, rows);
    const abi = vipScoreAbi;
    const addrs = rows.map(({ account }) => account);
    const calls =
      shape === "reference"
        ? [encodeFunctionData({ abi, functionName: "getScores", args: [1n, 0n, 1000n] })]
        : [
            encodeFunctionData({ abi, functionName: "getScoresFrom", args: [1n, 0, 1000n] }),
            encodeFunctionData({ abi, functionName: "idsOf", args: [addrs] }),
          ];
    const client = createPublicClient({ transport: http(node.rpcUrl, { timeout: hangBoundMs }) });
    for (const data of calls) {
      const gas = await client.estimateGas({ to: contract.identity.address, data });
      console.log(`${shape}, ${data.slice(0, 10)}: ${gas}`);
      expect(gas).toBeLessThanOrEqual(10_000_000n);
    }
  });

  test("calls other than scores fit their fixed limits", async () => {
    const contract = await deployShape(node.rpcUrl, shape);
    await writeRows(contract, rowsOf(600));
    const calls = [
      { kind: "addMember", account: accountOf(1) },
      { kind: "removeMember", account: accountOf(1) },
      ...(shape === "ours"
        ? ([
            { kind: "setFinalizer", account: toAccount(deployer.address) },
            { kind: "setManagement", allowed: false },
            { kind: "offerOwnership", account: accountOf(2) },
          ] as const)
        : []),
      { kind: "finalizeStage", stage: stageOne },
    ] as const;
    for (const call of calls) {
      const outcome = await write(contract, call, contract.getCallGas(call));
      console.log(`${shape}, ${call.kind}: ${outcome.gasUsed} of ${contract.getCallGas(call)}`);
      expect(outcome.succeeded).toBe(true);
    }
  });
});
