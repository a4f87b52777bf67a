import { InputError, quoteText } from "@vipscore/core/errors";
import type { ReportRow } from "./reportInput.ts";

/** The largest u64. */
const u64Max = 2n ** 64n - 1n;

/** A row with its place. */
export interface RankedRow extends ReportRow {
  /** 1 plus the number of accounts with a higher score. */
  readonly rank: number;
}

/**
 * Sorts rows by score, the highest first, and accounts of one score by address.
 *
 * @throws InputError `INPUT_INVALID` for an account that is not `0x` and 40 or 64 hex digits, for a score beyond u64, or if the
 * scores do not add up to the total.
 */
export function rankRows(rows: Iterable<ReportRow>, total: bigint): readonly RankedRow[] {
  const checked: ReportRow[] = [];
  let sum = 0n;
  for (const { account, score } of rows) {
    checked.push({ account: readAddress(account), score: readScore(score) });
    sum += score;
  }
  if (sum !== total) throw new InputError(`the scores add up to ${sum}, which is not the total ${total}`);
  checked.sort(highestFirst);
  let rank = 0;
  return checked.map(({ account, score }, index) => {
    if (index === 0 || checked[index - 1]?.score !== score) rank = index + 1;
    return { account, score, rank };
  });
}

function readAddress(account: string): string {
  if (/^0x(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(account)) return account.toLowerCase();
  throw new InputError(`address ${quoteText(account)} is not 0x and 40 or 64 hexadecimal digits`);
}

function readScore(score: bigint): bigint {
  if (score >= 0n && score <= u64Max) return score;
  throw new InputError(`score ${score} is not an integer from 0 to ${u64Max}`);
}

function highestFirst(one: ReportRow, other: ReportRow): number {
  if (one.score !== other.score) return one.score > other.score ? -1 : 1;
  return one.account < other.account ? -1 : Number(one.account > other.account);
}
