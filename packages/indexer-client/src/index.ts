export {
  collections,
  collectionsByAccount,
  collectionsByName,
  getCollection,
  type CollectionsOptions,
  type NftCollection,
} from "./collections.ts";
export { getStatus, type IndexerStatus } from "./getStatus.ts";
export {
  IndexerBadAnswerError,
  IndexerBadRequestError,
  IndexerNetworkError,
  IndexerNotFoundError,
  IndexerRequestError,
  IndexerServerError,
  type IndexerErrorCode,
} from "./http/indexerErrors.ts";
export type { Listing } from "./listing/createListing.ts";
export type { Page, PageOptions } from "./listing/page.ts";
export type { BadRow, WalkOptions } from "./listing/walkPages.ts";
export type { Fetch } from "./http/attempt.ts";
export { openIndexer, type Indexer, type IndexerOptions, type IndexerRequest } from "./openIndexer.ts";
export {
  tokensByAccount,
  tokensByCollection,
  type NftToken,
  type TokensByAccountOptions,
  type TokensOptions,
} from "./tokens.ts";
export { tokenTransactions, type NftTransaction, type TransactionsOptions } from "./transactions.ts";
