import { text, type Shape } from "./checkAnswer.ts";
import { createListing, type Listing } from "./listing/createListing.ts";
import { pinnedQuery } from "./listing/pinnedQuery.ts";
import { nftPath } from "./nftPath.ts";
import type { Indexer } from "./openIndexer.ts";

/** A transaction. What else the server says of one differs by its version and is passed on unchecked. */
export interface NftTransaction {
  readonly txhash: string;
  readonly [field: string]: unknown;
}

/** In which order transactions come. */
export interface TransactionsOptions {
  /** Newest first; true when absent, as on the server. */
  readonly reverse?: boolean | undefined;
}

const transactionShape: Shape<{ txhash: string }> = { txhash: text };

/**
 * The transactions that touched a token.
 *
 * @param collectionAddr `0x` hex, hex or bech32.
 * @throws RangeError for an address or a token id that is empty, `.` or `..`, which no path can hold.
 */
export function tokenTransactions(
  indexer: Indexer,
  collectionAddr: string,
  tokenId: string,
  { reverse }: TransactionsOptions = {},
): Listing<NftTransaction> {
  return createListing<NftTransaction>(indexer, {
    path: nftPath("txs", collectionAddr, tokenId),
    field: "txs",
    shape: transactionShape,
    query: pinnedQuery(reverse),
  });
}
