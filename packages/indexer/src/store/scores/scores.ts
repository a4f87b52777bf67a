import type { ContractIdentity, Stage } from "@vipscore/core";
import type { StoredTree, TreePart } from "@vipscore/snapshot";
import type { IndexedChain } from "../indexedChain.ts";
import type { StageRows } from "./stageRows.ts";

/** A stage as the index has it: its rows add up to its total. */
export interface IndexedStage {
  readonly stage: Stage;
  readonly total: bigint;
  /** Number of rows, including those of score 0. */
  readonly accounts: number;
  /** Undefined for a contract without revisions. */
  readonly revision: bigint | undefined;
  readonly isFinalized: boolean;
  /** Hex digest of the scores, as `export` and `verify` show it; undefined before the stage is finalized. */
  readonly digest: string | undefined;
}

/** New state of a stage. */
export interface StageChange extends IndexedStage {
  /** All its rows. */
  readonly rows: StageRows;
  /** Those that are not stored yet; undefined if any may differ. */
  readonly added: StageRows | undefined;
  /** Number of rows that differed from the contract's although no event said so. */
  readonly differences: number;
}

/** A stored stage, and where its rows are. */
export interface StoredStage extends IndexedStage {
  /** The block after which its rows were last changed. */
  readonly height: number;
  readonly firstPart: number;
  readonly lastPart: number;
  /** Root of its stored Merkle tree, empty without leaves; undefined if no tree is stored. */
  readonly root: string | undefined;
}

/** The contract of a database, up to where it is followed, and its stages. */
export interface StoredScores {
  readonly contract: ContractIdentity;
  /** The rollup's bridge on L1, which the stored trees are for; undefined if it is not known. */
  readonly bridgeId: bigint | undefined;
  readonly height: number;
  readonly blockHash: string;
  /** Counts the writes that changed a stage. */
  readonly version: number;
  /** Rows that differed from the contract's, and were repaired. */
  readonly differences: number;
  /** The chain's newest height when the follower last looked, and when, in milliseconds since 1970; 0 before it did. */
  readonly seen: { readonly head: number; readonly at: number };
  /** Ascending. */
  readonly stages: readonly StoredStage[];
}

/** The scores of a database: what the follower of their contract writes, and the API reads. */
export interface ScoreStore {
  /**
   * Returns up to which block the contract is indexed, with an empty hash before the first one.
   *
   * @param bridgeId The rollup's bridge on L1. Default: the one that is stored.
   * @throws VipError `CONFIG_INVALID` if the database has the scores of another contract; `DATABASE_IN_USE`.
   */
  readonly begin: (contract: ContractIdentity, bridgeId?: bigint) => Promise<IndexedChain>;
  /** Applies changes of stages and sets the indexed height, all or nothing. */
  readonly apply: (
    changes: readonly StageChange[],
    progress: { readonly height: number; readonly blockHash: string },
  ) => Promise<void>;
  readonly noteHead: (head: number, at: number) => Promise<void>;
  /** The counter of changes; undefined without a contract. */
  readonly readVersion: () => Promise<number | undefined>;
  readonly read: () => Promise<StoredScores | undefined>;
  /** Reads the rows of a stored stage; undefined if the stage has been written again. */
  readonly readRows: (stage: StoredStage, known?: KnownRows) => Promise<StageRows | undefined>;
  /** Stores the Merkle tree of a finalized stage, all or nothing. */
  readonly storeTree: (tree: StageTree) => Promise<void>;
  /** Opens the stored tree of a stage. */
  readonly openTree: (stage: bigint) => StoredTree;
}

/** The Merkle tree of a stage, for one bridge. */
export interface StageTree {
  readonly stage: bigint;
  /** 64 hex digits; empty without leaves. */
  readonly root: string;
  readonly parts: readonly TreePart[];
}

/** The rows of an earlier state of a stage that had the same first part. */
export interface KnownRows {
  readonly rows: StageRows;
  readonly lastPart: number;
}
