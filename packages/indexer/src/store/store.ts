import type { HexAddress } from "../chain/nftChain.ts";
import type { TokenState } from "./blockState.ts";
import type { IndexedChain, NftStore } from "./nftStore.ts";

/** Where a page begins: after so many rows, or after a row. */
export type Place<Row> = { readonly offset: bigint } | { readonly after: Row };

/** Which page of a listing. */
export interface PageRequest<Row> {
  readonly place: Place<Row>;
  readonly limit: number;
  /** Descending. */
  readonly reverse: boolean;
}

/** Which tokens: of an owner, of a collection, or of both. */
export interface TokenFilter {
  readonly owner?: HexAddress | undefined;
  readonly collectionAddr?: HexAddress | undefined;
  readonly tokenId?: string | undefined;
}

/**
 * A token's place in the listings. The collection is undefined where tokens of several tie, and all of them are passed over;
 * without an id all tokens up to the height are, whatever the order.
 */
export interface TokenPlace {
  readonly height: number;
  readonly tokenId: string | undefined;
  readonly collectionAddr: HexAddress | undefined;
}

/** A page of tokens. */
export interface TokensRequest extends PageRequest<TokenPlace> {
  readonly filter: TokenFilter;
  /** Ties by the other, then by collection. */
  readonly orderBy: "token_id" | "height";
}

/** A token as listed. */
export interface TokenRow extends TokenState {
  readonly collectionName: string;
}

/** Which collections: all, those of which an account owns a token, or those with a text in their name. */
export type CollectionFilter =
  | { readonly owner: HexAddress; readonly name?: never }
  | { readonly name: string; readonly owner?: never }
  | { readonly owner?: never; readonly name?: never };

/** A collection's place in the listings. Without an address all of its height are passed over. */
export interface CollectionPlace {
  readonly height: number;
  readonly collectionAddr: HexAddress | undefined;
}

/** A page of collections, by height, ties by address. */
export interface CollectionsRequest extends PageRequest<CollectionPlace> {
  readonly filter: CollectionFilter;
}

/** A collection as listed. */
export interface CollectionRow {
  readonly collectionAddr: HexAddress;
  readonly name: string;
  readonly creator: HexAddress;
  readonly tokenCount: number;
  readonly height: number;
  readonly timestamp: string;
}

/** A page of the transactions that changed a token, in the order of the chain. */
export interface TransactionsRequest extends PageRequest<{ readonly sequence: number }> {
  readonly collectionAddr: HexAddress;
  readonly tokenId: string;
}

/** A transaction that changed a token. */
export interface TransactionRow {
  /** Its place among all rows of the database. */
  readonly sequence: number;
  readonly txHash: string;
  readonly height: number;
  readonly timestamp: string;
}

/** What the indexer says of itself. */
export interface StoreStatus extends IndexedChain {
  /** How many things of the chain were left out, see {@link NftStore.applyBlocks}. */
  readonly leftOut: number;
}

/** What the follower writes and what the API reads. */
export interface Store extends NftStore {
  /** What is indexed; undefined in a new database. */
  readonly readStatus: () => Promise<StoreStatus | undefined>;
  readonly readTokens: (request: TokensRequest) => Promise<readonly TokenRow[]>;
  readonly countTokens: (filter: TokenFilter) => Promise<number>;
  readonly readCollection: (collectionAddr: HexAddress) => Promise<CollectionRow | undefined>;
  readonly readCollections: (request: CollectionsRequest) => Promise<readonly CollectionRow[]>;
  readonly countCollections: (filter: CollectionFilter) => Promise<number>;
  readonly readTransactions: (request: TransactionsRequest) => Promise<readonly TransactionRow[]>;
  readonly countTransactions: (collectionAddr: HexAddress, tokenId: string) => Promise<number>;
}
