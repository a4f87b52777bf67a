import { readStatus, type IndexerStatus } from "../getStatus.ts";
import { IndexerServerError } from "../http/indexerErrors.ts";
import { pause } from "../http/pause.ts";
import { readPage, type Page, type PageOptions } from "../listing/page.ts";
import { nftPath } from "../nftPath.ts";
import type { Indexer } from "../openIndexer.ts";
import { tokenListing, type NftToken } from "../tokens.ts";

/** How a collection is read. */
export interface CollectionReaderOptions {
  /** Maximum rows per request. */
  readonly limit: number;
  /** How old an answer may be if the server does not mark it as fresh, in milliseconds. */
  readonly cacheMs: number;
  readonly signal: AbortSignal | undefined;
}

/** What is at a position of a listing: a row, a row that the server cannot serve, or nothing. */
export type RowFound = NftToken | "unreadable" | undefined;

/**
 * Reads a collection's tokens in the order of their last change, and knows which answers are fresh.
 *
 * Real servers cache answers by their full URL, so each request has a unique query.
 */
export class CollectionReader {
  readonly limit: number;
  /** URL of the listing without credentials, for messages. */
  readonly url: string;
  readonly #indexer: Indexer;
  readonly #path: string;
  readonly #cacheMs: number;
  readonly #signal: AbortSignal | undefined;
  readonly #name = `${Date.now().toString(36)}${Math.random().toString(36).slice(2)}`;
  #requests = 0;
  #isLastNew = true;
  #areNew = true;
  #height = 0;
  #isBalanced = false;

  constructor(indexer: Indexer, collectionAddr: string, { limit, cacheMs, signal }: CollectionReaderOptions) {
    this.limit = limit;
    this.#indexer = indexer;
    this.#path = nftPath("tokens/by_collection", collectionAddr);
    this.#cacheMs = cacheMs;
    this.#signal = signal;
    this.url = indexer.endpoint + this.#path;
  }

  /** The indexer's status, after {@link settle}. */
  async status(): Promise<IndexerStatus> {
    await this.settle();
    const query = new URLSearchParams(this.#unique()).toString();
    const status = await readStatus(this.#indexer, { query, signal: this.#signal, onHeaders: this.#heed });
    // Several servers answer in turn, one behind another: no answer shows how old it is.
    if (status.height < this.#height) this.#isBalanced = true;
    this.#height = Math.max(this.#height, status.height);
    return status;
  }

  /**
   * Waits until no answer can be older than the previous one: not at all if the server marked its last answer as fresh.
   */
  async settle(): Promise<void> {
    if (this.#cacheMs > 0 && (!this.#isLastNew || this.#isBalanced)) await pause(this.#cacheMs, this.#signal);
  }

  /** True if the server marked all answers since the last call as fresh. */
  takeAreNew(): boolean {
    const areNew = this.#areNew && !this.#isBalanced;
    this.#areNew = true;
    return areNew;
  }

  /** A page, ascending by last change. */
  page(options: PageOptions & { readonly repeat500?: boolean }): Promise<Page<NftToken>> {
    return this.#read(false, options);
  }

  /** A page, descending by last change. A 500 is not retried. */
  pageBelow(options: PageOptions): Promise<Page<NftToken>> {
    return this.#read(true, { ...options, repeat500: false });
  }

  /** What is at a position, counted from 0. */
  rowAt(offset: number): Promise<RowFound> {
    return this.#findRow({ offset });
  }

  /** The readable rows from a position on; undefined if one of them is unreadable. */
  async rowsAt(offset: number, limit: number): Promise<readonly NftToken[] | undefined> {
    try {
      const { items } = await this.page({ offset, limit, repeat500: false });
      return items;
    } catch (error) {
      if (isUnreadable(error)) return undefined;
      throw error;
    }
  }

  /** The token with an id. */
  token(tokenId: string): Promise<RowFound> {
    return this.#findRow({}, tokenId);
  }

  async #findRow(place: PageOptions, tokenId?: string): Promise<RowFound> {
    try {
      const { items } = await this.#read(false, { ...place, limit: 1, repeat500: false }, tokenId);
      return items[0];
    } catch (error) {
      if (isUnreadable(error)) return "unreadable";
      throw error;
    }
  }

  #read(
    reverse: boolean,
    options: PageOptions & { readonly repeat500?: boolean },
    tokenId?: string,
  ): Promise<Page<NftToken>> {
    const parts = tokenListing(this.#path, true, { orderBy: "height", reverse, tokenId });
    const query = { ...parts.query, ...this.#unique() };
    return readPage(this.#indexer, { ...parts, query }, { ...options, signal: this.#signal, onHeaders: this.#heed });
  }

  #unique(): Record<string, string> {
    this.#requests += 1;
    return { _: `${this.#name}.${this.#requests}` };
  }

  readonly #heed = (headers: Headers): void => {
    this.#isLastNew = isNew(headers);
    this.#areNew &&= this.#isLastNew;
  };
}

/** True for the error of a page with an unreadable row. */
export function isUnreadable(error: unknown): error is IndexerServerError {
  return error instanceof IndexerServerError && error.status === 500;
}

/** True if an answer is marked as not cached: `no-store`, or a miss of the real servers' cache. */
function isNew(headers: Headers): boolean {
  // A cache in front repeats the headers of its cached answer.
  if (Number(headers.get("age")) > 0) return false;
  return /\bno-store\b/i.test(headers.get("cache-control") ?? "") || /^miss$/i.test(headers.get("x-cache") ?? "");
}
