import type { NftCollection, NftToken } from "@vipscore/indexer-client";

/** All data of an indexer of one chain, unordered. Rows are as the API writes them. */
export interface ChainData {
  readonly tokens: readonly NftToken[];
  readonly collections: readonly NftCollection[];
}
