import type { HexAddress } from "@vipscore/indexer";

/** Tokens minted per block. */
const tokensPerBlock = 1_000;

/** Tokens of each small collection. */
export const smallSize = 500;

/** Accounts that own the tokens that the large holder does not. */
const ownerCount = 50_000;

/** The large holder owns nine of ten tokens. */
const largeShare = 9;

/** The collection with almost all tokens. */
export const largeCollection: HexAddress = `0x${"c1".repeat(20)}`;

/** Collections of which the large holder has some tokens, too. */
export const smallCollections: readonly HexAddress[] = [`0x${"c2".repeat(20)}`, `0x${"c3".repeat(20)}`];

/** The account that owns nine of ten tokens. */
export const largeHolder: HexAddress = `0x${"aa".repeat(20)}`;

/** Returns the block that mints the token with an index, from 0. */
export function heightOf(index: number): number {
  return 1 + Math.floor(index / tokensPerBlock);
}

/** Returns the indexes of the tokens that a block of the large collection mints: from the first, up to but without the last. */
export function indexesOf(height: number, tokens: number): readonly [from: number, end: number] {
  return [(height - 1) * tokensPerBlock, Math.min(tokens, height * tokensPerBlock)];
}

/** Returns the first owner of the token with an index, from 0. */
export function ownerOf(index: number): HexAddress {
  if (index % 10 < largeShare) return largeHolder;
  const number = Math.floor(index / 10) % ownerCount;
  return `0xb${number.toString(16).padStart(39, "0")}`;
}
