import type { BlockRange } from "./chainSource.ts";

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
}

/** Opens a reader of the tokens of collections: 20 bytes, or 32 if the first 12 are not all zero, in lower-case hex. */
export type OpenNftOwners = (collections: ReadonlySet<`0x${string}`>) => NftOwners;
