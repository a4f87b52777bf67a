import type { HexAddress, NftBlock, PendingUri, UriRead } from "../chain/nftChain.ts";
import type { IndexedChain } from "./indexedChain.ts";
import type { ScoreStore } from "./scores/scores.ts";

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
  /**
   * `token_id` and `height` break each other's ties, then the collection does. By `token_number`, of one collection alone,
   * IDs that are numbers come in numeric order, then the others as text.
   */
  readonly orderBy: "token_id" | "token_number" | "height";
}

/** A listed token. */
export interface TokenRow extends Omit<TokenState, "uri"> {
  /** Undefined for a URI that is read by itself, because it is long: see {@link Store.readUri}. */
  readonly uri: string | undefined;
  readonly collectionName: string;
  /** See {@link CollectionRow.originName}. */
  readonly collectionOriginName: string;
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
  /** The name before a transfer over IBC; empty if there was none. */
  readonly originName: string;
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
  /** Number of tokens whose URI is not read yet, at most: all of a collection's until it is known which are to be read again. */
  readonly pendingUris: number;
  /** The chain's newest height when the follower last looked, and when, in milliseconds since 1970. */
  readonly seen: { readonly head: number; readonly at: number } | undefined;
}

/** The store that the follower writes and the API reads. */
export interface Store extends NftStore {
  /** Status of the indexed chain; undefined in a new database. */
  readonly readStatus: () => Promise<StoreStatus | undefined>;
  /** The version of what the listings show, which every write that changes one changes. 0 in a new database. */
  readonly readVersion: () => Promise<number>;
  /** The URI of a token; empty for a token that no longer exists. */
  readonly readUri: (token: Pick<TokenState, "collectionAddr" | "tokenId">) => Promise<string>;
  readonly readTokens: (request: TokensRequest) => Promise<readonly TokenRow[]>;
  readonly countTokens: (filter: TokenFilter) => Promise<number>;
  readonly readCollection: (collectionAddr: HexAddress) => Promise<CollectionRow | undefined>;
  readonly readCollections: (request: CollectionsRequest) => Promise<readonly CollectionRow[]>;
  readonly countCollections: (filter: CollectionFilter) => Promise<number>;
  readonly readTransactions: (request: TransactionsRequest) => Promise<readonly TransactionRow[]>;
  readonly countTransactions: (collectionAddr: HexAddress, tokenId: string) => Promise<number>;
  readonly scores: ScoreStore;
}

/** Data of the chain that was left out because no listing could serve it, or because it could not be read. */
export interface LeftOut {
  readonly height: number;
  /** Undefined if its collection is unknown. */
  readonly collectionAddr: HexAddress | undefined;
  readonly reason: string;
}

/** Result of storing URIs. */
export interface AppliedUris {
  readonly leftOut: readonly LeftOut[];
  /** Number of tokens whose URI is still to be read. */
  readonly pendingUris: number;
}

/** How many tokens of a collection the index has after a block. */
export interface CountedTokens {
  readonly collectionAddr: HexAddress;
  readonly count: number;
  readonly height: number;
  readonly name: string;
  /** One of its tokens that has no URI; undefined if each has one. */
  readonly withoutUri: PendingUri | undefined;
}

/** What a contract says about a collection. */
export interface Comparison {
  readonly difference: number;
  /** Undefined to keep the one that is stored. */
  readonly name: string | undefined;
  /** True if tokens without a URI have one now, and are to be read again. */
  readonly hasUris: boolean;
}

/** Writes of the follower. The API's reads are in the files `read….ts` in this folder. */
export interface NftStore {
  /**
   * Ensures that no other program writes to the database while this one runs; takes the lock again if it was lost.
   *
   * @throws VipError `DATABASE_IN_USE` if another program does.
   */
  readonly claimWriting: () => Promise<void>;
  /** The indexed chain; undefined in a new database. */
  readonly readChain: () => Promise<IndexedChain | undefined>;
  /** Sets the chain of a new database and the height before the first block to read. */
  readonly beginChain: (chainId: string, height: number) => Promise<void>;
  /** The addresses of all collections, for the follower's `isKnown`. */
  readonly readCollectionAddrs: () => Promise<readonly HexAddress[]>;
  /** Contracts with such transfers that are not collections, and the block from which on the transfers were not stored. */
  readonly readOtherContracts: () => Promise<ReadonlyMap<HexAddress, number>>;
  /**
   * Applies blocks and sets the indexed height to `height`; on an error, nothing changes.
   *
   * @param blocks - Ascending, all above the indexed height and none above `height`.
   * @returns what was left out: see docs/indexer.md.
   */
  readonly applyBlocks: (
    blocks: readonly NftBlock[],
    progress: { readonly height: number; readonly blockHash: string },
  ) => Promise<readonly LeftOut[]>;
  /**
   * The URIs to read next, those of the oldest block first: nodes prune the oldest state first.
   *
   * @param limit - Maximum number of them.
   * @param after - The one after which they begin. Default: the first.
   */
  readonly readPendingUris: (limit: number, after?: PendingUri) => Promise<readonly PendingUri[]>;
  /**
   * Adds some tokens of a collection whose URIs are to be read again to those to read. False if there is no such
   * collection.
   */
  readonly takeUriUpdate: () => Promise<boolean>;
  /** Stores URIs, each unless a later block has changed the URI or burned the token. */
  readonly applyUris: (reads: readonly UriRead[]) => Promise<AppliedUris>;
  /** A collection whose tokens have changed since they were compared with its contract's count; undefined if all are compared. */
  readonly readUncompared: () => Promise<CountedTokens | undefined>;
  /**
   * Stores by how many tokens a collection differs from its contract's count, which adds to `leftOut`, unless it has changed
   * since; its name; and which URIs to read again, in steps: while there are more, it is not compared.
   */
  readonly noteComparison: (counted: CountedTokens, comparison: Comparison) => Promise<void>;
  /**
   * Stores the chain's newest height, and when the follower saw it.
   *
   * @param at - Milliseconds since 1970.
   */
  readonly noteHead: (head: number, at: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A stored token. */
export interface TokenState {
  readonly collectionAddr: HexAddress;
  readonly tokenId: string;
  readonly owner: HexAddress;
  readonly uri: string;
  readonly objectAddr: HexAddress | undefined;
  readonly height: number;
  readonly timestamp: string;
}

export type CollectionState = Omit<CollectionRow, "originName" | "tokenCount">;

/** A transaction that changed a token. */
export interface TokenTransactionRow extends Omit<TransactionRow, "sequence"> {
  readonly collectionAddr: HexAddress;
  readonly tokenId: string;
  /** Numbers the transactions of the token, from 1. */
  readonly number: number;
}

/** The stored tokens and collections that some blocks refer to. */
export interface StoredState {
  readonly tokens: readonly TokenState[];
  readonly collections: readonly CollectionState[];
  /** Number of stored transactions of a token, also of a burned one, by {@link tokenKey}. */
  readonly transactionCounts: ReadonlyMap<string, number>;
}

export function tokenKey({ collectionAddr, tokenId }: Pick<TokenState, "collectionAddr" | "tokenId">): string {
  return `${collectionAddr}/${tokenId}`;
}
