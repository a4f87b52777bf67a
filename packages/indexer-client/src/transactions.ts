import { text, type Shape } from "./checkAnswer.ts";
import { createListing, type Listing } from "./listing/createListing.ts";
import { nftPath, pinnedQuery } from "./nftRoutes.ts";
import type { Indexer } from "./openIndexer.ts";

/** A transaction. Other fields differ between server versions and are passed on unchecked. */
export interface NftTransaction {
  readonly txhash: string;
  readonly [field: string]: unknown;
}

/** Order of transactions. */
export interface TransactionsOptions {
  /** Newest first. Default: true, as on the server. */
  readonly reverse?: boolean | undefined;
}

const transactionShape: Shape<{ txhash: string }> = { txhash: text };

/**
 * The transactions that touched a token.
 *
 * @param collectionAddr `0x` hex, hex or bech32.
 * @throws RangeError for an address or a token ID that is empty, `.` or `..`, which a path cannot contain.
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
