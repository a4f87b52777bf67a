import { expectTypeOf } from "vitest";
import { decodeAddress } from "./decodeAddress.ts";
import { readHolders, type IndexerMovingError } from "./holders.ts";
import {
  collections,
  getCollection,
  getStatus,
  openIndexer,
  tokensByAccount,
  tokensByCollection,
  tokenTransactions,
  type BadRow,
  type IndexerErrorCode,
  type IndexerRequestError,
  type IndexerServerError,
  type Listing,
  type NftCollection,
  type NftToken,
  type NftTransaction,
  type Page,
  type TokensOptions,
} from "./index.ts";
import { readMetadata, type MetadataResult } from "./metadata.ts";
import { infinitePagesQuery, pageQuery } from "./query.ts";

const indexer = openIndexer("https://indexer.example.org", { fetch, retry: { attempts: 2 } });
const listing = tokensByCollection(indexer, "0xc1", { orderBy: "height" });

expectTypeOf(listing).toEqualTypeOf<Listing<NftToken>>();
expectTypeOf(listing.page).returns.resolves.toEqualTypeOf<Page<NftToken>>();
expectTypeOf(collections(indexer)).toEqualTypeOf<Listing<NftCollection>>();
expectTypeOf(tokenTransactions(indexer, "0xc1", "1")).toEqualTypeOf<Listing<NftTransaction>>();
expectTypeOf(getCollection(indexer, "0xc1")).resolves.toEqualTypeOf<NftCollection>();
expectTypeOf(getStatus(indexer)).resolves.toHaveProperty("height").toEqualTypeOf<number>();

expectTypeOf(readHolders(indexer, "0xc1"))
  .resolves.toHaveProperty("holders")
  .toEqualTypeOf<ReadonlyMap<`0x${string}`, number>>();
expectTypeOf<IndexerMovingError["code"]>().toEqualTypeOf<"INDEXER_MOVING">();

expectTypeOf<NftToken["nft"]["token_id"]>().toEqualTypeOf<string>();
expectTypeOf<NftToken["height"]>().toEqualTypeOf<number>();
expectTypeOf<NftToken["timestamp"]>().toEqualTypeOf<string>();
expectTypeOf<Page<NftToken>["total"]>().toEqualTypeOf<number | null>();
expectTypeOf<Page<NftToken>["nextKey"]>().toEqualTypeOf<string | null>();
expectTypeOf<NftTransaction["gas_used"]>().toEqualTypeOf<unknown>();
expectTypeOf<BadRow["error"]>().toEqualTypeOf<IndexerServerError>();
expectTypeOf<IndexerRequestError["code"]>().toEqualTypeOf<IndexerErrorCode>();
expectTypeOf(decodeAddress("init1…")).toEqualTypeOf<`0x${string}`>();

expectTypeOf<NftToken>().toExtend<Parameters<typeof readMetadata>[0]>();
expectTypeOf(readMetadata("ipfs://…", { gateways: { ipfs: undefined } })).resolves.toEqualTypeOf<MetadataResult>();

// Options that come from optional settings may be undefined.
const signal: AbortSignal | undefined = undefined;
void tokensByAccount(indexer, "0xaa", { collectionAddr: undefined, tokenId: undefined }).page({ signal, key: null });

// @ts-expect-error -- ids are strings: 2^256 - 1 does not fit a number
tokensByAccount(indexer, "0xaa", { tokenId: 1 });
// @ts-expect-error -- one of three orders
tokensByAccount(indexer, "0xaa", { orderBy: "owner" });
// @ts-expect-error -- the server orders by number only within a collection
tokensByAccount(indexer, "0xaa", { orderBy: "token_number" });
tokensByAccount(indexer, "0xaa", { orderBy: "token_number", collectionAddr: "0xc1" });
const orderBy = "height" as TokensOptions["orderBy"];
tokensByAccount(indexer, "0xaa", { orderBy, collectionAddr: "0xc1" });
// @ts-expect-error -- an iteration starts at the first page
void listing.pages({ key: "MQ==" });
// @ts-expect-error -- answers are read-only
void listing.page().then((page) => page.items.push());

/** The properties that TanStack Query 5 requires of query options (`QueryObserverOptions` of @tanstack/query-core). */
interface TanstackQuery<T, Key extends readonly unknown[]> {
  queryKey: Key;
  queryFn?: (context: {
    queryKey: Key;
    signal: AbortSignal;
    meta: Record<string, unknown> | undefined;
  }) => T | Promise<T>;
  retry?: boolean | number | ((failureCount: number, error: Error) => boolean);
}

/** The same of an infinite query (`InfiniteQueryObserverOptions`). */
interface TanstackInfiniteQuery<T, Key extends readonly unknown[], Param> {
  queryKey: Key;
  queryFn?: (context: {
    queryKey: Key;
    signal: AbortSignal;
    pageParam: Param;
    direction: "forward" | "backward";
    meta: Record<string, unknown> | undefined;
  }) => T | Promise<T>;
  initialPageParam: Param;
  getNextPageParam: (last: T, all: T[], lastParam: Param, allParams: Param[]) => Param | undefined | null;
  getPreviousPageParam?: (first: T, all: T[], firstParam: Param, allParams: Param[]) => Param | undefined | null;
  retry?: boolean | number | ((failureCount: number, error: Error) => boolean);
}

expectTypeOf(pageQuery(listing)).toExtend<TanstackQuery<Page<NftToken>, readonly unknown[]>>();
expectTypeOf(infinitePagesQuery(listing)).toExtend<
  TanstackInfiniteQuery<Page<NftToken>, readonly unknown[], string | null>
>();
