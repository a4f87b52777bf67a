import { badAnswer, IndexerServerError } from "../http/indexerErrors.ts";
import type { Indexer } from "../openIndexer.ts";
import { maxLimit, readPage, type ListingParts, type Page } from "./page.ts";
import { watchForCircle } from "./watchForCircle.ts";

/** So many rows one after the other are not bad: the server is. */
const mostBadInARow = 20;

/** A row that was stepped over because every page with it answers 500. */
export interface BadRow {
  /** Where the row stands in the listing, counted from 0 in its order and direction. */
  readonly offset: number;
  /** What the server answered to a page of that row alone. */
  readonly error: IndexerServerError;
}

/** How a listing is walked. */
export interface WalkOptions {
  /** Largest number of rows that are asked for at once, from 1 to 1,000; 1,000 when absent. */
  readonly limit?: number | undefined;
  /** Whether the server counts the whole listing with each page; false when absent. */
  readonly countTotal?: boolean | undefined;
  /**
   * Steps over rows that make their page answer 500, and is told each one; such an error ends the walk when absent. The limit
   * is halved until the row is alone. From such a row on the place in the listing is counted, so while tokens move the walk
   * may repeat or miss a row. Twenty in a row end the walk.
   */
  readonly onBadRow?: ((row: BadRow) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads page after page from the start, each when it is asked for. Ends on a null key, an empty page or a key equal to the
 * one sent; the only empty page given is the first.
 *
 * @throws as {@link readPage}; IndexerBadAnswerError for a listing that leads back into itself.
 */
export async function* walkPages<T>(
  indexer: Indexer,
  parts: ListingParts<T>,
  { limit = maxLimit, countTotal, onBadRow, signal }: WalkOptions,
): AsyncGenerator<Page<T>, void, undefined> {
  const isCircle = watchForCircle();
  let place: { readonly key?: string; readonly offset?: number } = {};
  let seen = 0;
  let size = limit;
  // A bad row stands before this offset.
  let suspect = 0;
  let badInARow = 0;
  for (;;) {
    let page: Page<T>;
    try {
      // While a bad row is searched for, only the row itself is worth asking again.
      const repeat500 = size === limit || size === 1;
      page = await readPage(indexer, parts, { ...place, limit: size, countTotal, signal, repeat500 });
    } catch (error) {
      if (!onBadRow || !(error instanceof IndexerServerError) || error.status !== 500) throw error;
      suspect = seen + size;
      if (size > 1) {
        size = Math.ceil(size / 2);
        continue;
      }
      badInARow += 1;
      if (badInARow > mostBadInARow) throw error;
      onBadRow({ offset: seen, error });
      seen += 1;
      place = { offset: seen };
      continue;
    }
    const { items, nextKey } = page;
    if (items.length > 0 || seen === 0) yield page;
    if (nextKey === null) return;
    if (isCircle(items[0])) throw badAnswer(indexer.endpoint + parts.path, "repeats its pages without end");
    place = { key: nextKey };
    badInARow = 0;
    seen += items.length;
    size = seen < suspect ? Math.ceil((suspect - seen) / 2) : limit;
  }
}
