import type { HexAddress } from "../chain/nftChain.ts";

/** A token as it is stored. */
export interface TokenState {
  readonly collectionAddr: HexAddress;
  readonly tokenId: string;
  readonly owner: HexAddress;
  readonly uri: string;
  readonly objectAddr: HexAddress | undefined;
  readonly height: number;
  readonly timestamp: string;
}

/** A collection as it is stored. */
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
  readonly txHash: string;
  readonly height: number;
  readonly timestamp: string;
}

/** What the database holds of the tokens and collections that some blocks name. */
export interface StoredState {
  readonly tokens: readonly TokenState[];
  readonly collections: readonly CollectionState[];
}
