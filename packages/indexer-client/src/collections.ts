import { checkAnswer, count, text, type Shape } from "./checkAnswer.ts";
import { createListing, type Listing } from "./listing/createListing.ts";
import { nftPath, pinnedQuery } from "./nftRoutes.ts";
import type { Indexer } from "./openIndexer.ts";

/** A collection, as recorded from a real indexer; the server's other fields are kept too. */
export interface NftCollection {
  /** The collection's address, 0x hex on every VM. */
  readonly object_addr: string;
  readonly collection: {
    /** Bech32 on every VM; `decodeAddress` of `…/address` makes it comparable. */
    readonly creator: string;
    readonly name: string;
    readonly origin_name: string;
    readonly nfts: {
      readonly handle: string;
      /** Number of tokens in the collection. */
      readonly length: number;
    };
  };
  /** Block of the collection's creation or last update. */
  readonly height: number;
  /** Time of that block, RFC 3339. */
  readonly timestamp: string;
}

/** Order of collections. */
export interface CollectionsOptions {
  /** Descending order. Default: true, as on the server. */
  readonly reverse?: boolean | undefined;
}

const collectionShape: Shape<NftCollection> = {
  object_addr: text,
  collection: { creator: text, name: text, origin_name: text, nfts: { handle: text, length: count } },
  height: count,
  timestamp: text,
};

const shapeOfOne = { collection: collectionShape };

/**
 * Reads one collection.
 *
 * @param collectionAddr `0x` hex, hex or bech32.
 * @throws IndexerNotFoundError if there is none; another IndexerRequestError; RangeError for an empty address; the
 * signal's reason when aborted.
 * @example
 * const { collection } = await getCollection(indexer, "0x1d8e31d5071bb4072fffc05b792685dcc5085bde");
 */
export async function getCollection(
  indexer: Indexer,
  collectionAddr: string,
  options?: { readonly signal?: AbortSignal | undefined },
): Promise<NftCollection> {
  const path = nftPath("collections", collectionAddr);
  const answer = await indexer.get(path, options);
  return checkAnswer<{ readonly collection: NftCollection }>(answer, shapeOfOne, indexer.endpoint + path).collection;
}

/** All collections of the chain. */
export function collections(indexer: Indexer, options?: CollectionsOptions): Listing<NftCollection> {
  return collectionListing(indexer, nftPath("collections"), options);
}

/**
 * The collections in which an account owns a token.
 *
 * @param account `0x` hex, hex or bech32.
 * @throws RangeError for an empty account.
 */
export function collectionsByAccount(
  indexer: Indexer,
  account: string,
  options?: CollectionsOptions,
): Listing<NftCollection> {
  return collectionListing(indexer, nftPath("collections/by_account", account), options);
}

/**
 * The collections whose name contains this text, ignoring case.
 *
 * @throws RangeError for an empty name.
 */
export function collectionsByName(
  indexer: Indexer,
  name: string,
  options?: CollectionsOptions,
): Listing<NftCollection> {
  return collectionListing(indexer, nftPath("collections/by_name", name), options);
}

function collectionListing(
  indexer: Indexer,
  path: string,
  { reverse }: CollectionsOptions = {},
): Listing<NftCollection> {
  return createListing(indexer, { path, field: "collections", shape: collectionShape, query: pinnedQuery(reverse) });
}
