import { formatBech32 } from "@vipscore/core";
import { tokenIdFault } from "../store/storableText.ts";
import type { CollectionFilter, CollectionPlace, CollectionRow, Store, TransactionRow } from "../store/store.ts";
import type { Listing } from "./pageAnswer.ts";
import { collectionAddrOf, readPagination } from "./requestParameters.ts";
import { isHeight } from "./tokenListings.ts";

/** Collections of the chain, of an owner, or of a name. */
export function listCollections(
  store: Store,
  filter: CollectionFilter,
  query: URLSearchParams,
): Listing<CollectionRow, CollectionPlace> {
  return {
    field: "collections",
    pagination: readPagination(query),
    readAfter: readPlace,
    keyAfter: ({ height, collectionAddr: collection_addr }, after) =>
      after?.collectionAddr === undefined ? { height } : { height, collection_addr },
    read: (request) => store.readCollections({ ...request, filter }),
    count: () => store.countCollections(filter),
    // A real indexer has all matches by name in memory, so it always returns the total.
    alwaysCounts: filter.name !== undefined,
    toJson: collectionJson,
  };
}

function readPlace({
  height,
  collection_addr: collection,
}: Readonly<Record<string, unknown>>): CollectionPlace | undefined {
  if (!isHeight(height)) return undefined;
  if (collection === undefined) return { height, collectionAddr: undefined };
  return typeof collection === "string" ? { height, collectionAddr: collectionAddrOf(collection) } : undefined;
}

/** `txs/{collection_addr}/{token_id}`. */
export function tokenTransactions(
  store: Store,
  addr: string,
  tokenId: string,
  query: URLSearchParams,
): Listing<TransactionRow, { readonly sequence: number }> {
  const collectionAddr = collectionAddrOf(addr);
  const isHeld = tokenIdFault(tokenId) === undefined;
  return {
    field: "txs",
    pagination: readPagination(query),
    readAfter: ({ sequence }) => (isHeight(sequence) ? { sequence } : undefined),
    keyAfter: ({ sequence }) => ({ sequence }),
    read: async (request) => (isHeld ? store.readTransactions({ ...request, collectionAddr, tokenId }) : []),
    count: async () => (isHeld ? store.countTransactions(collectionAddr, tokenId) : 0),
    toJson: ({ txHash, height, timestamp }) => JSON.stringify({ txhash: txHash, height, timestamp }),
    // Like a real indexer: this listing only grows at one end.
    alwaysKeyset: true,
  };
}

export function collectionJson(row: CollectionRow): string {
  return JSON.stringify({
    object_addr: row.collectionAddr,
    collection: {
      creator: formatBech32(row.creator),
      name: row.name,
      origin_name: row.originName,
      nfts: { handle: "", length: row.tokenCount },
    },
    height: row.height,
    timestamp: row.timestamp,
  });
}
