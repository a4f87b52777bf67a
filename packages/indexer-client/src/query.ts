import { getCollection, type NftCollection } from "./collections.ts";
import { getStatus, type IndexerStatus } from "./getStatus.ts";
import type { Listing } from "./listing/createListing.ts";
import type { Page, PageOptions } from "./listing/page.ts";
import type { Indexer } from "./openIndexer.ts";

/** Options of a TanStack Query query; typed here, so that nothing has to be installed. */
export interface QueryOptions<T> {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<T>;
  /** False: the client has repeated a request as often as it may. */
  readonly retry: false;
}

/** Options of a TanStack Query infinite query. */
export interface InfiniteQueryOptions<T> {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: { readonly pageParam: string | null; readonly signal: AbortSignal }) => Promise<Page<T>>;
  readonly initialPageParam: string | null;
  readonly getNextPageParam: (last: Page<T>) => string | null;
  readonly getPreviousPageParam: (first: Page<T>) => string | null;
  /** False: the client has repeated a request as often as it may. */
  readonly retry: false;
}

const scope = "nft-indexer";

/**
 * One page of a listing.
 *
 * @example
 * useQuery(pageQuery(tokensByAccount(indexer, account), { limit: 20 }));
 */
export function pageQuery<T>(listing: Listing<T>, options: Omit<PageOptions, "signal"> = {}): QueryOptions<Page<T>> {
  return {
    queryKey: [scope, ...listing.id, "page", options],
    queryFn: ({ signal }) => listing.page({ ...options, signal }),
    retry: false,
  };
}

/**
 * A listing, page by page. The first page has the total, unless `countTotal` is false; the others have none.
 *
 * @example
 * useInfiniteQuery(infinitePagesQuery(tokensByCollection(indexer, collectionAddr), { limit: 50 }));
 */
export function infinitePagesQuery<T>(
  listing: Listing<T>,
  options: Pick<PageOptions, "limit" | "countTotal"> = {},
): InfiniteQueryOptions<T> {
  return {
    queryKey: [scope, ...listing.id, "pages", options],
    queryFn: ({ pageParam, signal }) => {
      const countTotal = pageParam === null && options.countTotal;
      return listing.page({ ...options, countTotal, key: pageParam, signal });
    },
    initialPageParam: null,
    getNextPageParam: ({ nextKey }) => nextKey,
    getPreviousPageParam: ({ previousKey }) => previousKey,
    retry: false,
  };
}

/** One collection. */
export function collectionQuery(indexer: Indexer, collectionAddr: string): QueryOptions<NftCollection> {
  return {
    queryKey: [scope, indexer.id, "collection", collectionAddr],
    queryFn: ({ signal }) => getCollection(indexer, collectionAddr, { signal }),
    retry: false,
  };
}

/** The chain that the indexer serves, and its newest indexed block. */
export function statusQuery(indexer: Indexer): QueryOptions<IndexerStatus> {
  return {
    queryKey: [scope, indexer.id, "status"],
    queryFn: ({ signal }) => getStatus(indexer, { signal }),
    retry: false,
  };
}
