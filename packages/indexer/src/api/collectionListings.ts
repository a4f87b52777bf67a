import type { CollectionFilter, CollectionPlace, CollectionRow, Store } from "../store/store.ts";
import type { Listing } from "./pageAnswer.ts";
import { accountOf, collectionAddrOf, readPagination } from "./requestParameters.ts";
import { collectionJson } from "./rowJson.ts";
import { isHeight } from "./tokenListings.ts";

/** `collections`. */
export function allCollections(store: Store, query: URLSearchParams): Listing<CollectionRow, CollectionPlace> {
  return listCollections(store, {}, query);
}

/** `collections/by_account/{account}`: collections in which the account owns a token. */
export function collectionsByAccount(
  store: Store,
  account: string,
  query: URLSearchParams,
): Listing<CollectionRow, CollectionPlace> {
  return listCollections(store, { owner: accountOf(account) }, query);
}

/** `collections/by_name/{name}`: collections whose name contains the text, comparing only letters, marks and digits. */
export function collectionsByName(
  store: Store,
  name: string,
  query: URLSearchParams,
): Listing<CollectionRow, CollectionPlace> {
  return listCollections(store, { name }, query);
}

function listCollections(
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
