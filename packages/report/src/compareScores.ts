import { formatChecksummed, type Account, type ScoreTable } from "@vipscore/core";

/** A value of two tables. */
export type BeforeAfter<T> = Readonly<Record<"before" | "after", T>>;

/** What an account has in two tables. */
export interface ScoreChange {
  readonly address: string;
  /** 0 without a row. */
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

/** Result of {@link compareScores}. An account is in a table if its score is above 0. */
export interface ScoreComparison extends BeforeAfter<ScoreSpread> {
  /** Numbers of accounts in one table only, and of those in both by their scores. */
  readonly accounts: Readonly<Record<"entered" | "left" | "higher" | "lower" | "unchanged", number>>;
  /**
   * The accounts with the largest changes, `entered`, `left`, `gains by score`, `losses by score` and so for `share` and
   * `rank`: at most 20, of equal changes those with the first addresses.
   */
  readonly largest: Readonly<Record<string, readonly ScoreChange[]>>;
}

/** Compares two tables of scores, in exact integers. A gain of rank is a lower number, of an account in both tables. */
export function compareScores(before: ScoreTable, after: ScoreTable): ScoreComparison {
  const sort = (scores: BigUint64Array): BigUint64Array => scores.filter((score) => score > 0n).sort();
  const [old, next] = [sort(scoresOf(before)), sort(scoresOf(after))];
  const accounts = { entered: 0, left: 0, higher: 0, lower: 0, unchanged: 0 };
  const [entered, left]: [Keyed[], Keyed[]] = [[], []];
  const changes = { score: newChanges(), share: newChanges(), rank: newChanges() };
  for (const row of joinTables(before, after)) {
    const [, was, is] = row;
    if (was === 0n && is === 0n) continue;
    const [isNew, isGone] = [was === 0n, is === 0n];
    accounts[isNew ? "entered" : isGone ? "left" : is > was ? "higher" : is < was ? "lower" : "unchanged"] += 1;
    if (isNew) offer(entered, is, row);
    else if (isGone) offer(left, was, row);
    else offerChange(changes.rank, BigInt(rankOf(was, old) - rankOf(is, next)), row);
    offerChange(changes.score, is - was, row);
    // The difference of the shares times both totals. A total of 0 has scores of 0 alone.
    offerChange(changes.share, is * (before.total || 1n) - was * (after.total || 1n), row);
  }
  const changeOf = ([, [account, was, is]]: Keyed): ScoreChange => ({
    address: formatChecksummed(account),
    score: { before: was, after: is },
    share: { before: ratio(100n * was, before.total), after: ratio(100n * is, after.total) },
    rank: { before: rankOf(was, old) || null, after: rankOf(is, next) || null },
  });
  const largest: Record<string, readonly ScoreChange[]> = { entered: entered.map(changeOf), left: left.map(changeOf) };
  for (const [by, { gains, losses }] of Object.entries(changes)) {
    largest[`gains by ${by}`] = gains.map(changeOf);
    largest[`losses by ${by}`] = losses.map(changeOf);
  }
  return { before: spreadOf(old, before.total), after: spreadOf(next, after.total), accounts, largest };
}

type Row = readonly [account: Account, was: bigint, is: bigint];
type Keyed = readonly [key: bigint, row: Row];

function scoresOf(table: ScoreTable): BigUint64Array {
  const scores = new BigUint64Array(table.size);
  let position = 0;
  for (const { score } of table) scores[position++] = score;
  return scores;
}

/** Yields each account of two tables once. It is looked up only once: of large tables, that takes longest. */
function* joinTables(before: ScoreTable, after: ScoreTable): Generator<Row, void, undefined> {
  const scores = scoresOf(after);
  const isJoined = new Uint8Array(after.size);
  for (const { account, score } of before) {
    const position = after.positionOf(account) ?? after.size;
    isJoined[position] = 1;
    yield [account, score, scores[position] ?? 0n];
  }
  let position = 0;
  for (const { account, score } of after) if (isJoined[position++] === 0) yield [account, 0n, score];
}

const newChanges = (): Readonly<Record<"gains" | "losses", Keyed[]>> => ({ gains: [], losses: [] });

function offerChange({ gains, losses }: ReturnType<typeof newChanges>, change: bigint, row: Row): void {
  if (change > 0n) offer(gains, change, row);
  else offer(losses, -change, row);
}

const mostListed = 20;

/** Adds a row to a list of those with the largest keys above 0, if it is one of them. */
function offer(list: Keyed[], key: bigint, row: Row): void {
  const isBefore = ([other, [account]]: Keyed): boolean => key > other || (key === other && row[0] < account);
  const last = list[mostListed - 1];
  if (key === 0n || (last !== undefined && !isBefore(last))) return;
  const place = list.findIndex(isBefore);
  list.splice(place < 0 ? list.length : place, 0, [key, row]);
  list.splice(mostListed);
}

/** Returns the rank of one of the scores, which are sorted; 0 for the score 0. */
function rankOf(score: bigint, sorted: BigUint64Array): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0n) > score) high = middle;
    else low = middle + 1;
  }
  return score === 0n ? 0 : sorted.length - low + 1;
}

function spreadOf(sorted: BigUint64Array, total: bigint): ScoreSpread {
  const { length: accounts } = sorted;
  const deciles = Array.from({ length: 10 }, () => 0n);
  let weighted = 0n;
  for (const [index, score] of sorted.entries()) {
    const decile = Math.ceil((10 * (index + 1)) / accounts) - 1;
    deciles[decile] = (deciles[decile] ?? 0n) + score;
    weighted += BigInt(index + 1) * score;
  }
  // G = 2 Σ i·x(i) / (n Σ x) − (n + 1) / n, with the scores x(1) ≤ … ≤ x(n).
  const gini = ratio(2n * weighted - BigInt(accounts + 1) * total, BigInt(accounts) * total);
  const [largestShare = "", ...shares] = [sorted.at(-1) ?? 0n, ...deciles].map((sum) => ratio(100n * sum, total));
  return { total, accounts, largestShare, gini, deciles: shares };
}

function ratio(part: bigint, whole: bigint): string {
  const parts = `${whole === 0n ? 0n : (part * 10_000n) / whole}`.padStart(5, "0");
  return `${parts.slice(0, -4)}.${parts.slice(-4)}`;
}
