import { badAnswer, IndexerServerError } from "../http/indexerErrors.ts";
import type { Indexer } from "../openIndexer.ts";
import { maxLimit, readPage, type ListingParts, type Page } from "./page.ts";

/** This many bad rows in a row mean that the server fails. */
const maxBadInARow = 20;

/** A row that was skipped because every page with it fails with status 500. */
export interface BadRow {
  /** The row's position in the listing, counted from 0 in its order and direction. */
  readonly offset: number;
  /** The server's answer to a page with only that row. */
  readonly error: IndexerServerError;
}

/** Options for reading a whole listing. */
export interface WalkOptions {
  /** Maximum rows per request, from 1 to 1,000. Default: 1,000. */
  readonly limit?: number | undefined;
  /** True if the server should count the whole listing, with the first page; the others have no total. Default: false. */
  readonly countTotal?: boolean | undefined;
  /**
   * Skips rows whose page fails with status 500; called with each one. Default: such an error is thrown. The limit is
   * halved until the row is isolated. From such a row on, rows are counted, so while tokens move a row may be repeated
   * or missed. Twenty bad rows in a row end the iteration.
   */
  readonly onBadRow?: ((row: BadRow) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads pages from the start, each on demand. Ends on a null key, an empty page or a key equal to the one sent; yields
 * an empty page only if it is the first.
 *
 * @throws like {@link readPage}; IndexerBadAnswerError for a listing that repeats its pages endlessly, or nests a row
 * thousands of levels deep.
 */
export async function* walkPages<T>(
  indexer: Indexer,
  parts: ListingParts<T>,
  { limit = maxLimit, countTotal = false, onBadRow, signal }: WalkOptions,
): AsyncGenerator<Page<T>, void, undefined> {
  const isCircle = watchForCircle();
  let place: { readonly key?: string; readonly offset?: number } = {};
  let seen = 0;
  let size = limit;
  // A bad row is before this offset.
  let suspect = 0;
  let badInARow = 0;
  for (;;) {
    let page: Page<T>;
    try {
      // While searching for a bad row, only the row itself is worth a retry.
      const repeat500 = size === limit || size === 1;
      const counts = countTotal && seen === 0;
      page = await readPage(indexer, parts, { ...place, limit: size, countTotal: counts, signal, repeat500 });
    } catch (error) {
      if (!onBadRow || !(error instanceof IndexerServerError) || error.status !== 500) throw error;
      suspect = seen + size;
      if (size > 1) {
        size = Math.ceil(size / 2);
        continue;
      }
      badInARow += 1;
      if (badInARow > maxBadInARow) throw error;
      onBadRow({ offset: seen, error });
      seen += 1;
      place = { offset: seen };
      continue;
    }
    const { items, nextKey } = page;
    if (items.length > 0 || seen === 0) yield page;
    if (nextKey === null) return;
    let problem: string | false;
    try {
      problem = isCircle(items[0]) && "repeats its pages endlessly";
    } catch {
      // A RangeError of `JSON.stringify`: an unknown field, nested some thousands deep.
      problem = "nests a row too deep";
    }
    if (problem) throw badAnswer(indexer.endpoint + parts.path, problem);
    place = { key: nextKey };
    badInARow = 0;
    seen += items.length;
    size = seen < suspect ? Math.ceil((suspect - seen) / 2) : limit;
  }
}

/** Rows that move may start another page again, but this often only in an endless listing. */
const maxRepeats = 2;

/**
 * Detects rows that start pages repeatedly, in constant memory: each is compared with the row kept since the last power
 * of two (R. P. Brent, "An improved Monte Carlo factorization algorithm", 1980).
 */
function watchForCircle(): (row: unknown) => boolean {
  let held: string | undefined;
  let repeats = 0;
  let count = 0;
  return (row) => {
    const text = JSON.stringify(row);
    if (text === held) repeats += 1;
    count += 1;
    if ((count & (count - 1)) === 0) held = text;
    return repeats > maxRepeats;
  };
}
