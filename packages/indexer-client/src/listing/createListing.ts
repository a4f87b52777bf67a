import type { Indexer } from "../openIndexer.ts";
import { readPage, type ListingParts, type Page, type PageOptions } from "./page.ts";
import { readAhead } from "./readAhead.ts";
import { walkPages, type WalkOptions } from "./walkPages.ts";

/**
 * A list on the server, with its filters, order and direction; read anew each time. Iterating over it gives its rows.
 *
 * Every read ends with an {@link IndexerRequestError}, or with the signal's reason when aborted; a limit or an offset out of
 * range is a RangeError.
 */
export interface Listing<T> extends AsyncIterable<T> {
  /** Tells listings apart; holds no credential. For caches. */
  readonly id: readonly [indexer: string, path: string, query: Readonly<Record<string, string>>, isKeyset: boolean];
  /** Reads one page, the first when no `key` and no `offset` is named. */
  readonly page: (options?: PageOptions) => Promise<Page<T>>;
  /** Reads all pages, the next one while the caller works with this one. */
  readonly pages: (options?: WalkOptions) => AsyncGenerator<Page<T>, void, undefined>;
  /** Reads all rows, page by page as {@link Listing.pages} does. */
  readonly items: (options?: WalkOptions) => AsyncGenerator<T, void, undefined>;
}

/** Makes a listing of its parts; sends nothing yet. */
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
