import type { HexAddress, NftBlock } from "../chain/nftChain.ts";

/** The chain that a database is about. */
export interface IndexedChain {
  readonly chainId: string;
  /** Newest block that is indexed; one less than the first block to read while nothing is. */
  readonly height: number;
  /** Hash of that block, lower-case hex; empty while nothing is indexed. */
  readonly blockHash: string;
}

/** Something of the chain that was left out because no listing could serve it, or because it could not be read. */
export interface LeftOut {
  readonly height: number;
  /** Undefined where what was left out is not known to be of one collection. */
  readonly collectionAddr: HexAddress | undefined;
  readonly reason: string;
}

/** What the follower writes. Reads of the API are in the files `read….ts` beside this one. */
export interface NftStore {
  /**
   * Makes sure that no other program writes to the database while this one runs; done again where that was lost.
   *
   * @throws VipError `DATABASE_IN_USE` when another one does.
   */
  readonly claimWriting: () => Promise<void>;
  /** What is indexed; undefined in a new database. */
  readonly readChain: () => Promise<IndexedChain | undefined>;
  /** Names the chain of a new database and the height before the first block to read. */
  readonly beginChain: (chainId: string, height: number) => Promise<void>;
  /** The addresses of all collections, for the follower's `isKnown`. */
  readonly readCollectionAddrs: () => Promise<readonly HexAddress[]>;
  /**
   * Applies blocks and moves the indexed height to `height`, all of it or, on an error, nothing.
   *
   * @param blocks - Ascending, all above the indexed height and none above `height`.
   * @returns what was left out: see docs/indexer.md.
   */
  readonly applyBlocks: (
    blocks: readonly NftBlock[],
    progress: { readonly height: number; readonly blockHash: string },
  ) => Promise<readonly LeftOut[]>;
  readonly close: () => Promise<void>;
}
