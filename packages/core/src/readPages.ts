import type { Account } from "./account.ts";
import type { SignalOptions } from "./readOptions.ts";
import { u64Max } from "./stage.ts";
import type { ScoreRow, ScoreTable } from "./table/scoreTable.ts";
import { inOrder, parallelPages } from "./time/inParallel.ts";

/**
 * Reads the rows after an account, or the first ones.
 *
 * @param left - The rows that are left in the stage: a page with more is unreadable.
 */
export type ReadPage = (
  after: Account | undefined,
  left: bigint,
  signal: AbortSignal | undefined,
) => Promise<readonly ScoreRow[]>;

export interface PagesOptions extends SignalOptions {
  /** The most rows of a page. */
  readonly limit: number;
  /** Rows of the stage. Default: those before an empty page. */
  readonly count?: bigint | undefined;
  /** The scores that the stage is expected to have. Used if it has as many rows. Default: nothing is expected. */
  readonly table?: ScoreTable | undefined;
  /** The order of the pages. Default: ascending. */
  readonly compare?: (a: Account, b: Account) => number;
}

/**
 * Yields the rows of a stage in pages. A page starts after the last row of the one before: where this is guessed from the
 * accounts expected, several pages are requested at once. From the first page on that ends elsewhere, each is requested while the
 * caller uses the one before.
 */
export async function* readPages(
  readPage: ReadPage,
  { limit, count = u64Max, table, compare, signal }: PagesOptions,
): AsyncGenerator<readonly ScoreRow[], void, undefined> {
  const isExpected = table !== undefined && BigInt(table.size) === count;
  const expected = isExpected ? Array.from(table.keys()).sort(compare) : [];
  const starts = Array.from({ length: Math.ceil(expected.length / limit) }, (_, page) => page * limit);
  const readAt = (start: number, stopped: AbortSignal) =>
    readPage(expected[start - 1], BigInt(expected.length - start), stopped);
  let read = 0;
  let last: Account | undefined;
  for await (const rows of inOrder(starts, parallelPages, readAt, signal)) {
    yield rows;
    read += rows.length;
    last = rows.at(-1)?.account;
    if (rows.length < limit || last !== expected[read - 1]) break;
  }
  let left = count - BigInt(read);
  let asked = left > 0n ? readPage(last, left, signal) : undefined;
  while (asked !== undefined) {
    const rows = await asked;
    // A short page need not be the last: a contract may return fewer rows than requested.
    if (rows.length === 0) return;
    left -= BigInt(rows.length);
    asked = left > 0n ? readPage(rows.at(-1)?.account, left, signal) : undefined;
    // Its failure is thrown in its turn.
    asked?.catch(() => {});
    yield rows;
  }
}
