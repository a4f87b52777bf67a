import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { u64Max, type OtherCall, type ScoreContract, type ScoreRow, type Stage, type Vm } from "@vipscore/core";
import { fuzzRuns } from "../fuzzRuns.ts";
import { fuzzSeed } from "../fuzzSeed.ts";
import type { AdapterChain, Shape } from "./adapterChain.ts";
import { accountOf, done, readRows, rowsOf, stageOne, stageTwo, widestAccountOf, write, writeRows } from "./rows.ts";

/** The measurements on a VM. */
interface Measure {
  /** Numbers of rows and the sizes of their batches. */
  readonly batches: readonly { readonly rows: number; readonly size: number }[];
  /** Maximum ratio of modeled to used gas. */
  readonly maxRatio: number;
  readonly maxRatioPacked: number;
  /** Numbers of rows of consecutive large transactions. */
  readonly large: readonly number[];
  /** Number of random draws, of accounts, of rows per draw and of rows per batch. */
  readonly random: { readonly runs: number; readonly accounts: number; readonly rows: number; readonly size: number };
  /** Gas that a node charges for a transaction with a fee; these transactions have none. See docs/fidelity.md. */
  readonly feeGas: bigint;
}

const measures: Readonly<Record<Vm, Measure>> = {
  evm: {
    batches: [
      { rows: 200, size: 100 },
      { rows: 500, size: 250 },
    ],
    maxRatio: 1.35,
    // On minievm much of a small batch's gas is the fixed part of a receipt, which Hardhat does not have.
    maxRatioPacked: 2,
    large: [200, 200],
    random: { runs: 10, accounts: 1200, rows: 300, size: 120 },
    feeGas: 0n,
  },
  move: {
    batches: [{ rows: 2000, size: 2000 }],
    maxRatio: 1.1,
    maxRatioPacked: 1.1,
    large: [6000],
    random: { runs: 5, accounts: 120, rows: 60, size: 60 },
    feeGas: 1_303n,
  },
  wasm: {
    batches: [{ rows: 2000, size: 2000 }],
    maxRatio: 1.35,
    maxRatioPacked: 1.35,
    large: [2700, 2700],
    random: { runs: 5, accounts: 400, rows: 200, size: 200 },
    feeGas: 0n,
  },
};

/**
 * Prices rows as a push does and sends them in contiguous batches with exactly that gas, which must suffice. Returns the ratio
 * of modeled to used gas of each batch.
 */
export async function sendPriced(
  contract: ScoreContract,
  rows: readonly ScoreRow[],
  {
    packed = false,
    at = stageOne,
    size = rows.length,
  }: { readonly packed?: boolean; readonly at?: Stage; readonly size?: number } = {},
): Promise<readonly number[]> {
  const { feeGas } = measures[contract.identity.vm];
  const height = await contract.getHeight();
  const held = new Map((await readRows(contract, at, height)).map(({ account, score }) => [account, score]));
  const planned = rows.map((row) => ({ ...row, current: held.get(row.account) }));
  const priced = await contract.priceRows(planned, { stage: at, height, scores: held, packed });
  expect(new Set(priced.map(({ account }) => account))).toEqual(new Set(rows.map(({ account }) => account)));
  expect(priced).toHaveLength(rows.length);
  const ratios: number[] = [];
  for (let start = 0; start < priced.length;) {
    const candidates = priced.slice(start, start + size);
    const other = candidates.findIndex((row) => row.packed !== candidates[0]?.packed);
    const batch = other === -1 ? candidates : candidates.slice(0, other);
    const isPacked = batch[0]?.packed === true;
    const { baseGas } = await contract.getLimits({ packed: isPacked });
    const modeled = batch.reduce((sum, { gas }) => sum + gas, baseGas);
    const call = { kind: "updateScores", stage: at, rows: batch, packed: isPacked } as const;
    const { succeeded, gasUsed, details } = await write(contract, call, modeled);
    expect({ succeeded, details }).toEqual({ succeeded: true, details: undefined });
    ratios.push(Number(modeled) / Number(gasUsed + feeGas));
    start += batch.length;
  }
  return ratios;
}

/** Prints the ratios of modeled to used gas, and returns the extremes. */
export function showRatios(what: string, ratios: readonly number[]): { readonly least: number; readonly most: number } {
  console.log(`${what}: modeled/used ${ratios.map((ratio) => ratio.toFixed(3)).join(", ")}`);
  return { least: Math.min(...ratios), most: Math.max(...ratios) };
}

/** Registers the tests of a VM's gas model: it suffices, and is not far above the used gas. */
export function testGasModel(chain: () => AdapterChain): void {
  const seed = fuzzSeed();

  describe.each<{ readonly shape: Shape; readonly packed: boolean }>([
    { shape: "ours", packed: false },
    { shape: "ours", packed: true },
    { shape: "reference", packed: false },
  ])("the gas model, $shape, packed: $packed", ({ shape, packed }) => {
    const deploy = async () => (await chain().fund()).deploy(shape);

    test("is close and never too low: first sight, overwrite, next stage", async () => {
      const { batches, maxRatio, maxRatioPacked } = measures[chain().vm];
      for (const { rows: count, size } of batches) {
        const contract = await deploy();
        const rows = rowsOf(count);
        const changed = rows.map(({ account, score }) => ({ account, score: score + 7n }));
        const title = `${shape}, packed ${packed}, batches of ${size} rows`;
        const figures = {
          "first sight": await sendPriced(contract, rows, { packed, size }),
          overwrite: await sendPriced(contract, changed, { packed, size }),
          "next stage": await done(contract, { kind: "finalizeStage", stage: stageOne }).then(() =>
            sendPriced(contract, rows, { packed, size, at: stageTwo }),
          ),
        };
        for (const [name, ratios] of Object.entries(figures)) {
          const range = showRatios(`${title}, ${name}`, ratios);
          expect(range.least).toBeGreaterThan(1);
          expect(range.most).toBeLessThanOrEqual(packed ? maxRatioPacked : maxRatio);
        }
      }
    });

    test("is never too low for one row, the widest values, a large table", async () => {
      const contract = await deploy();
      const { large } = measures[chain().vm];
      const few = Math.min(300, ...large.map((count) => count / 2));
      const last = { account: widestAccountOf(contract, 1), score: u64Max - 100_000_000n };
      for (const rows of [
        [last],
        ...large.map((count, index) => rowsOf(count, 2 + count * index)),
        [{ account: accountOf(7000), score: 1n }],
        rowsOf(few, 8000),
        [{ ...last, score: 0n }],
        rowsOf(few, 2).map(({ account }) => ({ account, score: 5n })),
      ]) {
        const ratios = await sendPriced(contract, rows, { packed });
        expect(showRatios(`${shape}, packed ${packed}, ${rows.length} rows`, ratios).least).toBeGreaterThan(1);
      }
    });

    test("is never too low for one row in a new stage, in the first transaction of an account", async () => {
      const contract = await deploy();
      const member = await chain().fund();
      await done(contract, { kind: "addMember", account: member.account });
      const ratios = await sendPriced(await member.connect(contract.identity.address), rowsOf(1), { packed });
      const title = `${shape}, packed ${packed}, the first row of an account`;
      expect(showRatios(title, ratios).least).toBeGreaterThan(1);
    });

    test("is never too low for any mixture of new accounts, known ones and ones with a score", async () => {
      const contract = await deploy();
      const { runs, accounts, rows: maxLength, size } = measures[chain().vm].random;
      const known = rowsOf(accounts / 2);
      await writeRows(contract, known);
      await done(contract, { kind: "finalizeStage", stage: stageOne });
      const scored = known.filter((_, index) => index % 2 === 0);
      await writeRows(contract, scored, stageTwo);
      const score = fc.oneof(fc.constant(0n), fc.bigInt(1n, 2n ** 50n));
      const row = fc.record({ index: fc.nat(accounts), isWide: fc.boolean(), score });
      const rows = fc.uniqueArray(row, { minLength: 1, maxLength, selector: ({ index }) => index });
      const scenario = fc.record({ rows, batchRows: fc.integer({ min: 1, max: size }) });
      let least = Number.POSITIVE_INFINITY;
      await fc.assert(
        fc.asyncProperty(scenario, async ({ rows: drawn, batchRows }) => {
          const table = drawn.map(({ index, isWide, score: drawnScore }) => ({
            account: isWide ? widestAccountOf(contract, index) : accountOf(index),
            score: drawnScore,
          }));
          const ratios = await sendPriced(contract, table, { packed, at: stageTwo, size: batchRows });
          least = Math.min(least, ...ratios);
          expect(least).toBeGreaterThan(1);
        }),
        { seed, numRuns: fuzzRuns(runs), endOnFailure: true },
      );
      console.log(`${shape}, packed ${packed}, mixtures: modeled at least ${least.toFixed(3)} of the gas used`);
    });
  });

  test.each<Shape>(["ours", "reference"])("calls other than batches fit their gas: %s", async (shape) => {
    const isOurs = shape === "ours";
    const contract = await (await chain().fund()).deploy(shape);
    const member = { account: widestAccountOf(contract, 3) };
    const other = { account: widestAccountOf(contract, 4) };
    await writeRows(contract, rowsOf(3));
    const expected = { total: 3003n, count: 3n, revision: 1n };
    const { signer } = contract;
    if (signer === undefined) throw new Error("the contract has no signer");
    const ofOurs: readonly OtherCall[] = [
      { kind: "setMembers", accounts: [signer, ...Array.from({ length: 20 }, (_, n) => accountOf(n + 40))] },
      { kind: "setFinalizer", ...other },
      { kind: "setFinalizer", account: undefined },
      { kind: "setManagement", allowed: false },
      { kind: "offerOwnership", ...other },
    ];
    const calls: readonly OtherCall[] = [
      ...Array.from({ length: 20 }, (_, index): OtherCall => ({ kind: "addMember", account: accountOf(index + 10) })),
      { kind: "addMember", ...member },
      { kind: "removeMember", ...member },
      ...(isOurs ? ofOurs : []),
      { kind: "finalizeStage", stage: stageOne, ...(isOurs && { expected }) },
    ];
    const { feeGas } = measures[chain().vm];
    for (const call of calls) {
      const { succeeded, gasUsed } = await write(contract, call);
      const ratio = Number(contract.getCallGas(call)) / Number(gasUsed + feeGas);
      expect({ kind: call.kind, succeeded, fits: ratio > 1.2 }).toEqual({
        kind: call.kind,
        succeeded: true,
        fits: true,
      });
    }
  });
}
