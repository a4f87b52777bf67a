import type { NftCollection, NftToken } from "@vipscore/indexer-client";

/** All that an indexer of one chain has to say, in no order. Rows are as the API writes them. */
export interface ChainData {
  readonly tokens: readonly NftToken[];
  readonly collections: readonly NftCollection[];
}
