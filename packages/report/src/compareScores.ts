import type { Account, ScoreTable } from "@vipscore/core";

/** A value of two tables. */
export interface BeforeAfter<T> {
  readonly before: T;
  readonly after: T;
}

/** The scores of an account in two tables: 0 without a row. */
export interface AccountChange {
  readonly account: Account;
  readonly score: BeforeAfter<bigint>;
  /** Percent of the total, see {@link ScoreSpread}. */
  readonly share: BeforeAfter<string>;
  /** 1 plus the number of accounts with a higher score; null without a score. */
  readonly rank: BeforeAfter<number | null>;
}

/** How a total is spread over the accounts with a score above 0. Each part has four digits after the point, and is rounded down. */
export interface ScoreSpread {
  readonly total: bigint;
  readonly accounts: number;
  /** Percent of the total that the highest score is; 0 without a score, as all that follows. */
  readonly largestShare: string;
  /** The Gini coefficient, from 0 for equal scores to nearly 1. */
  readonly gini: string;
  /** Percent of the total that each tenth of the accounts has, from that of the lowest scores to that of the highest. */
  readonly deciles: readonly string[];
}

/** What two tables are compared by. A gain of rank is a lower number, of an account with a score in both. */
export const measures = ["score", "share", "rank"] as const;
export type Measure = (typeof measures)[number];

/** Changes of accounts, the largest first: at most 20, of equal ones those with the first addresses. */
export type LargestChanges = readonly AccountChange[];

/** Result of {@link compareScores}. An account is in a table if its score is above 0. */
export interface ScoreComparison extends BeforeAfter<ScoreSpread> {
  readonly entered: { readonly accounts: number; readonly largest: LargestChanges };
  readonly left: { readonly accounts: number; readonly largest: LargestChanges };
  /** Numbers of accounts in both tables, by their scores. */
  readonly higher: number;
  readonly lower: number;
  readonly unchanged: number;
  readonly changes: Readonly<Record<Measure, { readonly gains: LargestChanges; readonly losses: LargestChanges }>>;
}

/** Compares two tables of scores, in exact integers. */
export function compareScores(before: ScoreTable, after: ScoreTable): ScoreComparison {
  const [old, next] = [sortScores(before), sortScores(after)];
  const counts = { entered: 0, left: 0, higher: 0, lower: 0, unchanged: 0 };
  const lists = {
    entered: new Largest(),
    left: new Largest(),
    score: { gains: new Largest(), losses: new Largest() },
    share: { gains: new Largest(), losses: new Largest() },
    rank: { gains: new Largest(), losses: new Largest() },
  } as const;
  const compare = (row: Row): void => {
    const { before: was, after: is } = row;
    if (was === 0n && is === 0n) return;
    counts[was === 0n ? "entered" : is === 0n ? "left" : is > was ? "higher" : is < was ? "lower" : "unchanged"] += 1;
    if (was === 0n) lists.entered.offer(is, row);
    else if (is === 0n) lists.left.offer(was, row);
    else offerChange("rank", BigInt(rankOf(was, old) - rankOf(is, next)), row);
    offerChange("score", is - was, row);
    // The difference of the shares times both totals. A total of 0 has scores of 0 alone.
    offerChange("share", is * (before.total || 1n) - was * (after.total || 1n), row);
  };
  const offerChange = (measure: Measure, gain: bigint, row: Row): void => {
    if (gain > 0n) lists[measure].gains.offer(gain, row);
    else lists[measure].losses.offer(-gain, row);
  };
  for (const row of joinTables(before, after)) compare(row);
  const finish = ({ rows }: Largest): LargestChanges =>
    rows.map(({ account, ...score }) => ({
      account,
      score,
      share: { before: percent(score.before, before.total), after: percent(score.after, after.total) },
      rank: { before: rankOf(score.before, old) || null, after: rankOf(score.after, next) || null },
    }));
  const changesBy = (measure: Measure) => ({
    gains: finish(lists[measure].gains),
    losses: finish(lists[measure].losses),
  });
  return {
    before: spreadOf(old, before.total),
    after: spreadOf(next, after.total),
    ...counts,
    entered: { accounts: counts.entered, largest: finish(lists.entered) },
    left: { accounts: counts.left, largest: finish(lists.left) },
    changes: { score: changesBy("score"), share: changesBy("share"), rank: changesBy("rank") },
  };
}

interface Row {
  readonly account: Account;
  readonly before: bigint;
  readonly after: bigint;
}

/** Yields each account of two tables once. An account is looked up once, which is what a large table costs most. */
function* joinTables(before: ScoreTable, after: ScoreTable): Generator<Row, void, undefined> {
  const scores = scoresOf(after);
  const isJoined = new Uint8Array(after.size);
  for (const { account, score } of before) {
    const position = after.positionOf(account);
    if (position !== undefined) isJoined[position] = 1;
    yield { account, before: score, after: (position !== undefined && scores[position]) || 0n };
  }
  let position = 0;
  for (const account of after.keys()) {
    if (isJoined[position] === 0) yield { account, before: 0n, after: scores[position] ?? 0n };
    position += 1;
  }
}

/** The rows with the largest keys above 0. */
class Largest {
  static readonly #most = 20;
  readonly rows: Row[] = [];
  readonly #keys: bigint[] = [];

  offer(key: bigint, row: Row): void {
    const isBefore = (other: bigint, index: number): boolean =>
      key > other || (key === other && row.account < (this.rows[index]?.account ?? ""));
    const last = this.#keys[Largest.#most - 1];
    if (key === 0n || (last !== undefined && !isBefore(last, Largest.#most - 1))) return;
    const place = this.#keys.findIndex(isBefore);
    const index = place < 0 ? this.#keys.length : place;
    this.#keys.splice(index, 0, key);
    this.rows.splice(index, 0, row);
    if (this.rows.length > Largest.#most) for (const list of [this.#keys, this.rows]) list.pop();
  }
}

/** Returns the scores in the table's order. */
function scoresOf(table: ScoreTable): BigUint64Array {
  const scores = new BigUint64Array(table.size);
  let position = 0;
  for (const { score } of table) scores[position++] = score;
  return scores;
}

/** Returns the scores above 0, the lowest first. */
function sortScores(table: ScoreTable): BigUint64Array {
  const scores = scoresOf(table).sort();
  const first = scores.findIndex((score) => score > 0n);
  return scores.subarray(first < 0 ? scores.length : first);
}

/** Returns the rank of one of the scores; 0 for the score 0. */
function rankOf(score: bigint, sorted: BigUint64Array): number {
  if (score === 0n) return 0;
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0n) > score) high = middle;
    else low = middle + 1;
  }
  return sorted.length - low + 1;
}

function spreadOf(sorted: BigUint64Array, total: bigint): ScoreSpread {
  const accounts = sorted.length;
  const size = BigInt(accounts);
  const deciles = Array.from({ length: 10 }, () => 0n);
  let weighted = 0n;
  for (let decile = 0; decile < 10; decile += 1) {
    const end = Math.floor(((decile + 1) * accounts) / 10);
    for (let index = Math.floor((decile * accounts) / 10); index < end; index += 1) {
      const score = sorted[index] ?? 0n;
      deciles[decile] = (deciles[decile] ?? 0n) + score;
      weighted += BigInt(index + 1) * score;
    }
  }
  return {
    total,
    accounts,
    largestShare: percent(sorted.at(-1) ?? 0n, total),
    // G = 2 Σ i·x(i) / (n Σ x) − (n + 1) / n, with the scores x(1) ≤ … ≤ x(n).
    gini: ratio(2n * weighted - (size + 1n) * total, size * total),
    deciles: deciles.map((sum) => percent(sum, total)),
  };
}

function percent(part: bigint, total: bigint): string {
  return ratio(part * 100n, total);
}

function ratio(part: bigint, whole: bigint): string {
  const parts = whole === 0n ? 0n : (part * 10_000n) / whole;
  return `${parts / 10_000n}.${`${parts % 10_000n}`.padStart(4, "0")}`;
}
