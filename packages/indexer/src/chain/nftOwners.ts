import type { HexAddress, NftChain, NftChange, TokenReference } from "./nftChain.ts";

/**
 * A token's new owner. On Move, tokens that were minted before are named by their objects, as are objects that are not tokens:
 * a change of an object that no earlier change gave to a token concerns none.
 */
export interface OwnerChange {
  readonly token: TokenReference;
  /** The object of a token that Move minted; undefined otherwise. */
  readonly objectAddr: HexAddress | undefined;
  /** Undefined if the token was burned. */
  readonly owner: HexAddress | undefined;
}

/** The changes that one block made to the owners of tokens. */
export interface OwnerBlock {
  readonly height: number;
  /** In the order of the chain. */
  readonly changes: readonly OwnerChange[];
}

/** The blocks of a part of a range that change owners. */
export interface OwnersPart {
  readonly first: number;
  /** Inclusive; the next part begins after it. */
  readonly last: number;
  /** The hash of the last block, lowercase hex. */
  readonly lastHash: string;
  /** Number of its blocks whose logs were compared with their bloom filters; only on EVM. */
  readonly compared?: number | undefined;
  /** Ascending; others are omitted. */
  readonly blocks: readonly OwnerBlock[];
}

/** A range of blocks, both included. */
export interface OwnersRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Reads who owned the tokens of some collections, block by block, and nothing else: no names, no URIs. What it yields depends on
 * the chain alone: it never leaves a change out, and never reads another state than that after the block.
 */
export interface NftOwners {
  /**
   * Yields a range of blocks part by part, without gaps.
   *
   * @throws PrunedState, NodeError; the signal's reason when aborted.
   */
  read(range: OwnersRange, signal: AbortSignal): AsyncGenerator<OwnersPart, void, undefined>;
  /** See {@link NftChain.countTokens}. */
  readonly countTokens?: NftChain["countTokens"];
}

/** The new owner in a change; undefined for a change of something else. */
export function ownerChangeOf(change: NftChange): OwnerChange | undefined {
  if (change.kind === "minted") {
    const { collectionAddr, tokenId, objectAddr, owner } = change;
    return { token: { collectionAddr, tokenId }, objectAddr, owner };
  }
  if (change.kind !== "transferred" && change.kind !== "burned") return undefined;
  return { token: change.token, objectAddr: undefined, owner: change.kind === "burned" ? undefined : change.owner };
}
