import { tokenIdFault } from "../store/storableText.ts";
import type { Store, TransactionRow } from "../store/store.ts";
import type { Listing } from "./pageAnswer.ts";
import { collectionAddrOf, readPagination } from "./requestParameters.ts";
import { transactionJson } from "./rowJson.ts";
import { isHeight } from "./tokenListings.ts";

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
    toJson: transactionJson,
    // Like a real indexer: this listing only grows at one end.
    alwaysKeyset: true,
  };
}
