import type { HexAddress } from "../chain/nftChain.ts";
import type { TokenState } from "./blockState.ts";
import type { IndexedChain, NftStore } from "./nftStore.ts";

/** Start of a page: after a number of rows, or after a row. */
export type Place<Row> = { readonly offset: bigint } | { readonly after: Row };

/** The page of a listing to read. */
export interface PageRequest<Row> {
  readonly place: Place<Row>;
  readonly limit: number;
  /** Descending. */
  readonly reverse: boolean;
}

/** Filter of tokens: by owner, by collection, or both. */
export interface TokenFilter {
  readonly owner?: HexAddress | undefined;
  readonly collectionAddr?: HexAddress | undefined;
  readonly tokenId?: string | undefined;
}

/**
 * A token's position in the listings. If the collection is undefined, tokens of several collections that tie are all
 * skipped; without an ID, all tokens up to the height are skipped, whatever the order.
 */
export interface TokenPlace {
  readonly height: number;
  readonly tokenId: string | undefined;
  readonly collectionAddr: HexAddress | undefined;
}

/** A page of tokens. */
export interface TokensRequest extends PageRequest<TokenPlace> {
  readonly filter: TokenFilter;
  /** The other breaks ties, then the collection. */
  readonly orderBy: "token_id" | "height";
}

/** A listed token. */
export interface TokenRow extends TokenState {
  readonly collectionName: string;
}

/** Filter of collections: all, those in which an account owns a token, or those whose name contains a text. */
export type CollectionFilter =
  | { readonly owner: HexAddress; readonly name?: never }
  | { readonly name: string; readonly owner?: never }
  | { readonly owner?: never; readonly name?: never };

/** A collection's position in the listings. Without an address, all collections at its height are skipped. */
export interface CollectionPlace {
  readonly height: number;
  readonly collectionAddr: HexAddress | undefined;
}

/** A page of collections, by height, ties by address. */
export interface CollectionsRequest extends PageRequest<CollectionPlace> {
  readonly filter: CollectionFilter;
}

/** A listed collection. */
export interface CollectionRow {
  readonly collectionAddr: HexAddress;
  readonly name: string;
  readonly creator: HexAddress;
  readonly tokenCount: number;
  readonly height: number;
  readonly timestamp: string;
}

/** A page of the transactions that changed a token, in chain order. */
export interface TransactionsRequest extends PageRequest<{ readonly sequence: number }> {
  readonly collectionAddr: HexAddress;
  readonly tokenId: string;
}

/** A transaction that changed a token. */
export interface TransactionRow {
  /** Its position among all rows of the database. */
  readonly sequence: number;
  readonly txHash: string;
  readonly height: number;
  readonly timestamp: string;
}

/** The indexer's status. */
export interface StoreStatus extends IndexedChain {
  /** Number of items left out, see {@link NftStore.applyBlocks}. */
  readonly leftOut: number;
  /** Number of tokens whose URI is not read yet. */
  readonly pendingUris: number;
  /** The chain's newest height when the follower last looked, and when, in milliseconds since 1970. */
  readonly seen: { readonly head: number; readonly at: number } | undefined;
}

/** The store that the follower writes and the API reads. */
export interface Store extends NftStore {
  /** Status of the indexed chain; undefined in a new database. */
  readonly readStatus: () => Promise<StoreStatus | undefined>;
  readonly readTokens: (request: TokensRequest) => Promise<readonly TokenRow[]>;
  readonly countTokens: (filter: TokenFilter) => Promise<number>;
  readonly readCollection: (collectionAddr: HexAddress) => Promise<CollectionRow | undefined>;
  readonly readCollections: (request: CollectionsRequest) => Promise<readonly CollectionRow[]>;
  readonly countCollections: (filter: CollectionFilter) => Promise<number>;
  readonly readTransactions: (request: TransactionsRequest) => Promise<readonly TransactionRow[]>;
  readonly countTransactions: (collectionAddr: HexAddress, tokenId: string) => Promise<number>;
}
