import {
  collections,
  tokensByCollection,
  type Indexer,
  type NftCollection,
  type NftToken,
} from "@vipscore/indexer-client";

/** All data of an indexer of one chain, unordered. Rows are as the API writes them. */
export interface ChainData {
  readonly tokens: readonly NftToken[];
  readonly collections: readonly NftCollection[];
}

/** Walks an indexer to learn its data: all collections, then each collection's tokens by keyset. */
export async function readData(indexer: Indexer): Promise<ChainData> {
  const data: { tokens: NftToken[]; collections: NftCollection[] } = { tokens: [], collections: [] };
  for await (const collection of collections(indexer)) data.collections.push(collection);
  for (const { object_addr: addr } of data.collections) {
    for await (const token of tokensByCollection(indexer, addr, { reverse: false })) data.tokens.push(token);
  }
  return data;
}
