import type { HexAddress } from "../chain/nftChain.ts";

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

/** A stored collection. */
export interface CollectionState {
  readonly collectionAddr: HexAddress;
  readonly name: string;
  readonly creator: HexAddress;
  readonly height: number;
  readonly timestamp: string;
}

/** A transaction that changed a token. */
export interface TokenTransactionRow {
  readonly collectionAddr: HexAddress;
  readonly tokenId: string;
  /** Numbers the transactions of the token, from 1. */
  readonly number: number;
  readonly txHash: string;
  readonly height: number;
  readonly timestamp: string;
}

/** The stored tokens and collections that some blocks refer to. */
export interface StoredState {
  readonly tokens: readonly TokenState[];
  readonly collections: readonly CollectionState[];
  /** Number of stored transactions of a token, also of a burned one, by {@link tokenKey}. */
  readonly transactionCounts: ReadonlyMap<string, number>;
}

/** The key of a token in maps. */
export function tokenKey({ collectionAddr, tokenId }: Pick<TokenState, "collectionAddr" | "tokenId">): string {
  return `${collectionAddr}/${tokenId}`;
}
