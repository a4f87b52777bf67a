import type { Misfit, SourceColumn, SourceRow } from "../sources/policySource.ts";

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
  /** Number of its blocks whose logs were compared with their bloom filters; only of logs. */
  readonly compared?: number | undefined;
  /** Events that are no rows because they do not fit. */
  readonly misfits?: readonly Misfit[];
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
  /** How many events of a window may not fit. Undefined if none may: then `read` throws an error for it. */
  readonly maxMisfits?: number | undefined;
  /** What the policy says of the source and no row can show to be wrong; undefined if there is nothing. */
  readonly assumed?: string | undefined;
  /**
   * Yields a range of blocks part by part: the first part begins with the first block, each other one after the part
   * before it, and the last one ends with the last block. How the range is divided may differ from call to call, but the rows do not.
   *
   * @throws NodeError; VipError `SOURCE_INVALID` for what the columns cannot hold; the signal's reason when aborted.
   */
  read(range: BlockRange, signal: AbortSignal): AsyncGenerator<SourcePart, void, undefined>;
}

/** A token's new owner, or that of an object which may be a token. */
export interface NftOwnerChange {
  /** Its collection and ID; only the object if Move minted it in an earlier change, or if it is not a token. */
  readonly token:
    { readonly collectionAddr: `0x${string}`; readonly tokenId: string } | { readonly objectAddr: `0x${string}` };
  /** The object of a token that Move minted; undefined otherwise. */
  readonly objectAddr: `0x${string}` | undefined;
  /** Undefined if the token was burned. */
  readonly owner: `0x${string}` | undefined;
}

/** The blocks of a part of a range that change owners. */
export interface NftOwnersPart extends BlockRange {
  /** The hash of the last block, lower-case hex. */
  readonly lastHash: string;
  /** Number of its blocks whose logs were compared with their bloom filters; only of logs. */
  readonly compared?: number | undefined;
  /** Ascending, with the changes in the order of the chain. */
  readonly blocks: readonly { readonly height: number; readonly changes: readonly NftOwnerChange[] }[];
}

/** Reads who owned the tokens of collections, block by block. `openNftOwners` of `@vipscore/indexer` makes one. */
export interface NftOwners {
  /**
   * Yields a range of blocks part by part, without gaps and without leaving a change out.
   *
   * @throws NodeError; the signal's reason when aborted.
   */
  read(range: BlockRange, signal: AbortSignal): AsyncGenerator<NftOwnersPart, void, undefined>;
  /** How many tokens a collection's contract counts after a block; undefined if it does not say it, or the node no longer knows. */
  readonly countTokens?:
    ((collection: `0x${string}`, height: number, signal: AbortSignal) => Promise<number | undefined>) | undefined;
}

/** Opens a reader of the tokens of collections: 20 bytes, or 32 if the first 12 are not all zero, in lower-case hex. */
export type OpenNftOwners = (collections: ReadonlySet<`0x${string}`>) => NftOwners;
