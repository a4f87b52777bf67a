import type { RankedRow } from "./scoreColumns.ts";

/** Accounts whose score is at least `from` and below `to`. */
export interface ScoreRange {
  readonly from: bigint;
  readonly to: bigint;
  readonly accounts: number;
}

/** A point of the Lorenz curve; both from 0 to 1. */
export interface LorenzPoint {
  /** Share of the accounts, from the lowest score on. */
  readonly accounts: number;
  /** Their share of the total. */
  readonly score: number;
}

/** Points of a Lorenz curve: as many as a chart can show. */
const lorenzSteps = 100;

/** Parts of 1 that a share is counted in before it becomes a number: a total may exceed 2^53. */
const parts = 1_000_000n;

/**
 * Counts the accounts with a score above 0 in ranges that grow as 1, 2, 5, 10, 20, 50, …, from the range of the lowest score
 * to that of the highest.
 *
 * @param ranked - The highest score first.
 */
export function countRanges(ranked: readonly RankedRow[]): readonly ScoreRange[] {
  const ascending = ranked.filter(({ score }) => score > 0n).reverse();
  const ranges: ScoreRange[] = [];
  let next = 0;
  for (let from = 1n; next < ascending.length; from = upperBound(from)) {
    const to = upperBound(from);
    const start = next;
    while (next < ascending.length && (ascending[next]?.score ?? to) < to) next += 1;
    if (next > start || ranges.length > 0) ranges.push({ from, to, accounts: next - start });
  }
  return ranges;
}

/** 2, 5, 10 for 1, 2, 5, and so on. */
function upperBound(from: bigint): bigint {
  return `${from}`.startsWith("2") ? (from * 5n) / 2n : from * 2n;
}

/**
 * Returns the Lorenz curve of the accounts with a score above 0, from (0, 0) to (1, 1).
 *
 * @param ranked - The highest score first.
 */
export function lorenzCurve(ranked: readonly RankedRow[], total: bigint): readonly LorenzPoint[] {
  const ascending = ranked.filter(({ score }) => score > 0n).reverse();
  const points: LorenzPoint[] = [{ accounts: 0, score: 0 }];
  let sum = 0n;
  let added = 0;
  const steps = Math.min(lorenzSteps, ascending.length);
  for (let step = 1; step <= steps; step += 1) {
    const end = Math.round((step * ascending.length) / steps);
    for (const { score } of ascending.slice(added, end)) sum += score;
    added = end;
    points.push({ accounts: end / ascending.length, score: Number((sum * parts) / total) / Number(parts) });
  }
  return points;
}

/**
 * Returns how many accounts together have at least half of the total.
 *
 * @param ranked - The highest score first.
 */
export function accountsOfHalf(ranked: readonly RankedRow[], total: bigint): number {
  let sum = 0n;
  let accounts = 0;
  for (const { score } of ranked) {
    if (2n * sum >= total) break;
    sum += score;
    accounts += 1;
  }
  return accounts;
}
