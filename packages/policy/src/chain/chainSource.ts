import type { SourceColumn, SourceRow } from "../sources/policySource.ts";

/** Heights of a rollup, both included. */
export interface BlockRange {
  readonly first: number;
  readonly last: number;
}

/** The rows of a part of a range of blocks, in the order of the chain. */
export interface SourcePart extends BlockRange {
  /** The hash of the last block, lower-case hex. */
  readonly lastHash: string;
  readonly rows: readonly SourceRow[];
}

/** Reads one source of a policy from a rollup's node. */
export interface ChainSource {
  /** The table's name in SQL. */
  readonly name: string;
  readonly kind: string;
  readonly columns: readonly SourceColumn[];
  /**
   * The data that is read, as JSON. Two sources with the same columns and the same text have the same rows in the same blocks,
   * so that they share stored data.
   */
  readonly identity: string;
  /**
   * Yields a range of blocks part by part: the first part begins with the first block, each other one after the part
   * before it, and the last one ends with the last block. How the range is divided may differ from call to call, but the rows do not.
   *
   * @throws NodeError; CheckError `SOURCE_INVALID` for what the columns cannot hold; the signal's reason when aborted.
   */
  read(range: BlockRange, signal: AbortSignal): AsyncGenerator<SourcePart, void, undefined>;
}
