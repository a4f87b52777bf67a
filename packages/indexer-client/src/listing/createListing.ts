import type { Indexer } from "../openIndexer.ts";
import { readPage, type ListingParts, type Page, type PageOptions } from "./page.ts";
import { walkPages, type WalkOptions } from "./walkPages.ts";

/**
 * A list on the server, with its filters, order and direction; each read queries the server again. Iterate over it to
 * get its rows.
 *
 * A failed read throws an {@link IndexerRequestError}, or the signal's reason when aborted; a limit or an offset out of
 * range throws a RangeError.
 */
export interface Listing<T> extends AsyncIterable<T> {
  /** Identifies the listing in caches; contains no credentials. */
  readonly id: readonly [indexer: string, path: string, query: Readonly<Record<string, string>>, isKeyset: boolean];
  /** Reads one page. Default: the first; set `key` or `offset` for another. */
  readonly page: (options?: PageOptions) => Promise<Page<T>>;
  /** Reads all pages, each next page while the caller uses the current one. */
  readonly pages: (options?: WalkOptions) => AsyncGenerator<Page<T>, void, undefined>;
  /** Reads all rows, page by page like {@link Listing.pages}. */
  readonly items: (options?: WalkOptions) => AsyncGenerator<T, void, undefined>;
}

/** Creates a listing from its parts; sends nothing yet. */
export function createListing<T>(indexer: Indexer, parts: ListingParts<T>): Listing<T> {
  const pages = (options: WalkOptions = {}) =>
    readAhead((signal) => walkPages(indexer, parts, { ...options, signal }), options.signal);
  async function* items(options: WalkOptions = {}): AsyncGenerator<T, void, undefined> {
    for await (const page of pages(options)) {
      for (const item of page.items) {
        options.signal?.throwIfAborted();
        yield item;
      }
    }
  }
  return {
    id: [indexer.id, parts.path, parts.query, parts.keyAfter !== undefined],
    page: (options) => readPage(indexer, parts, options),
    pages,
    items,
    [Symbol.asyncIterator]: () => items(),
  };
}

/**
 * Yields the values of an iteration, and starts on the next value while the caller uses the current one. At most one
 * value is read ahead. Leaving early, or an abort, stops the pending work.
 */
async function* readAhead<T>(
  start: (signal: AbortSignal) => AsyncIterator<T, void, undefined>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void, undefined> {
  const stop = new AbortController();
  const abort = () => stop.abort(signal?.reason);
  signal?.addEventListener("abort", abort);
  try {
    const values = start(stop.signal);
    let next = values.next();
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = values.next();
      // Its error is thrown when the caller asks for the value, if ever.
      next.catch(() => {});
      signal?.throwIfAborted();
      yield value;
    }
  } finally {
    signal?.removeEventListener("abort", abort);
    stop.abort();
  }
}
