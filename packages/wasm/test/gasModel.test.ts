import { stage, u64Max, type ScoreRow, type Stage } from "@vipscore/core";
import { startVipnode, type CosmosNode } from "@vipscore/localnet";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { WasmScoreContract } from "../src/index.ts";
import {
  accountOf,
  deployShape,
  longAccountOf,
  readRows,
  rowsOf,
  stageOne,
  write,
  type Shape,
} from "./testContract.ts";

const seed = fuzzSeed();
const stageTwo = stage(2n);

let chain: CosmosNode;
beforeAll(async () => {
  chain = await startVipnode({ vm: "wasm" });
});
afterAll(() => chain.stop());

/** Prices rows as a push does, sends them in that order with exactly that gas, and gives the figures. */
async function send(contract: WasmScoreContract, at: Stage, rows: readonly ScoreRow[], packed: boolean) {
  const height = await contract.getHeight();
  const held = new Map((await readRows(contract, at, height)).map(({ account, score }) => [account, score]));
  const priced = await contract.priceRows(
    rows.map((row) => ({ ...row, current: held.get(row.account) })),
    { stage: at, height, packed },
  );
  expect(new Set(priced.map(({ account }) => account))).toEqual(new Set(rows.map(({ account }) => account)));
  const { baseGas } = await contract.getLimits({ packed });
  const modelled = priced.reduce((sum, { gas }) => sum + gas, baseGas);
  const included = await write(contract, { kind: "updateScores", stage: at, rows: priced, packed }, modelled);
  expect(included).toMatchObject({ succeeded: true });
  return { modelled, used: included.gasUsed };
}

function ratioOf({ modelled, used }: Awaited<ReturnType<typeof send>>): number {
  return Number(modelled) / Number(used);
}

describe.each<{ readonly shape: Shape; readonly packed: boolean }>([
  { shape: "ours", packed: false },
  { shape: "ours", packed: true },
  { shape: "reference", packed: false },
])("$shape, packed: $packed", ({ shape, packed }) => {
  test("batches are modelled closely and never too low: first sight, overwrite, next stage", async () => {
    const contract = await deployShape(chain, shape);
    const rows = rowsOf(2000);
    const changed = rows.map(({ account, score }) => ({ account, score: score + 7n }));
    const figures = {
      firstSight: await send(contract, stageOne, rows, packed),
      overwrite: await send(contract, stageOne, changed, packed),
      nextStage: await write(contract, { kind: "finalizeStage", stage: stageOne }).then(() =>
        send(contract, stageTwo, rows, packed),
      ),
    };
    for (const [name, figure] of Object.entries(figures)) {
      const perRow = Number(figure.used) / rows.length;
      console.log(
        `${shape}, packed ${packed}, ${name}: ${perRow.toFixed(1)} gas a row, modelled ${ratioOf(figure).toFixed(3)} of it`,
      );
      expect(ratioOf(figure)).toBeGreaterThan(1);
      expect(ratioOf(figure)).toBeLessThan(1.35);
    }
  });

  test("one row, the widest values, a large table", async () => {
    const contract = await deployShape(chain, shape);
    const last = { account: longAccountOf(1), score: u64Max - 30_000_000n };
    for (const rows of [
      [last],
      rowsOf(2700),
      rowsOf(2700, 2700),
      [{ account: accountOf(7000), score: 1n }],
      rowsOf(300, 8000),
      [{ ...last, score: 0n }],
      rowsOf(400, 2000).map((row) => ({ ...row, score: 5n })),
    ]) {
      const figure = await send(contract, stageOne, rows, packed);
      const perRow = Number(figure.used) / rows.length;
      console.log(
        `${shape}, packed ${packed}, ${rows.length} rows: ${perRow.toFixed(0)} gas a row, modelled ${ratioOf(figure).toFixed(3)}`,
      );
      expect(ratioOf(figure)).toBeGreaterThan(1);
    }
  });

  test("any mixture of rows stays below the model", async () => {
    const contract = await deployShape(chain, shape);
    const row = fc.record({ index: fc.nat(400), isLong: fc.boolean(), score: fc.bigInt({ min: 0n, max: 2n ** 50n }) });
    const batch = fc.uniqueArray(row, { minLength: 1, maxLength: 200, selector: ({ index }) => index });
    let least = Number.POSITIVE_INFINITY;
    await fc.assert(
      fc.asyncProperty(batch, async (drawn) => {
        const rows = drawn.map(({ index, isLong, score }) => ({
          account: isLong ? longAccountOf(index) : accountOf(index),
          score,
        }));
        const ratio = ratioOf(await send(contract, stageOne, rows, packed));
        least = Math.min(least, ratio);
        expect(ratio).toBeGreaterThan(1);
      }),
      { seed, numRuns: fuzzRuns(5) },
    );
    console.log(`${shape}, packed ${packed}, mixtures: modelled at least ${least.toFixed(3)} of the gas used`);
  });

  test("the calls beside the batches fit their gas", async () => {
    const contract = await deployShape(chain, shape);
    const member = { account: longAccountOf(3) };
    await send(contract, stageOne, rowsOf(3), packed);
    const expected = { total: 3003n, count: 3n, revision: 1n };
    const calls = [
      ...Array.from({ length: 20 }, (_, index) => ({ kind: "addMember", account: accountOf(index) }) as const),
      { kind: "addMember", ...member } as const,
      { kind: "removeMember", ...member } as const,
      ...(shape === "ours"
        ? ([
            { kind: "setFinalizer", account: longAccountOf(4) },
            { kind: "setFinalizer", account: undefined },
            { kind: "setManagement", allowed: false },
            { kind: "offerOwnership", account: longAccountOf(4) },
          ] as const)
        : []),
      { kind: "finalizeStage", stage: stageOne, ...(shape === "ours" ? { expected } : {}) } as const,
    ];
    for (const call of calls) {
      const { succeeded, gasUsed } = await write(contract, call);
      expect({ kind: call.kind, succeeded }).toEqual({ kind: call.kind, succeeded: true });
      expect(Number(contract.getCallGas(call)) / Number(gasUsed)).toBeGreaterThan(1.2);
    }
  });
});
