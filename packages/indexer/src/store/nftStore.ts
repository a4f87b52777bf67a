import type { HexAddress, NftBlock, PendingUri, UriRead } from "../chain/nftChain.ts";

/** The chain of a database. */
export interface IndexedChain {
  readonly chainId: string;
  /** Newest indexed block; one less than the first block to read while nothing is indexed. */
  readonly height: number;
  /** Hash of that block, lower-case hex; empty while nothing is indexed. */
  readonly blockHash: string;
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
   */
  readonly readPendingUris: (limit: number) => Promise<readonly PendingUri[]>;
  /** Stores URIs, each unless a later block has changed the URI or burned the token. */
  readonly applyUris: (reads: readonly UriRead[]) => Promise<AppliedUris>;
  /**
   * Stores the chain's newest height, and when the follower saw it.
   *
   * @param at - Milliseconds since 1970.
   */
  readonly noteHead: (head: number, at: number) => Promise<void>;
  readonly close: () => Promise<void>;
}
