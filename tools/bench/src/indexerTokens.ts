import type { HexAddress, NftBlock, NftChange, Store } from "@vipscore/indexer";

/** Tokens minted per block. */
const tokensPerBlock = 1_000;

/** Blocks passed to the store at once. */
const blocksPerStep = 20;

/** Tokens of each small collection. */
const smallSize = 500;

/** Accounts that own the tokens that the large holder does not. */
const ownerCount = 50_000;

/** The large holder owns nine of ten tokens. */
const largeShare = 9;

/** The collection with almost all tokens. */
export const largeCollection: HexAddress = `0x${"c1".repeat(20)}`;

/** The account that owns nine of ten tokens. */
export const largeHolder: HexAddress = `0x${"aa".repeat(20)}`;

/** Returns the block that mints the token with an index, from 0. */
export function heightOf(index: number): number {
  return 1 + Math.floor(index / tokensPerBlock);
}

/**
 * Mints tokens as a follower would: 1,000 per block, ids from 1, then two small collections; 50,000 owners and one
 * large holder. Keeps only a few blocks in memory.
 *
 * @param tokens - Size of the large collection.
 * @returns the total number of tokens.
 */
export async function loadTokens(store: Store, tokens: number): Promise<number> {
  await store.beginChain("bench-1", 0);
  const blocks: NftBlock[] = [];
  const apply = async (isLast: boolean) => {
    const last = blocks.at(-1);
    if (last === undefined || (!isLast && blocks.length < blocksPerStep)) return;
    await store.applyBlocks(blocks, { height: last.height, blockHash: "00".repeat(32) });
    blocks.length = 0;
  };
  for (let from = 0; from < tokens; from += tokensPerBlock) {
    const changes: NftChange[] = from === 0 ? [seen(largeCollection, "Large")] : [];
    const to = Math.min(from + tokensPerBlock, tokens);
    for (let index = from; index < to; index += 1) changes.push(minted(largeCollection, index));
    blocks.push(blockOf(heightOf(from), changes));
    await apply(false);
  }
  const small: readonly HexAddress[] = [`0x${"c2".repeat(20)}`, `0x${"c3".repeat(20)}`];
  for (const [at, collection] of small.entries()) {
    const changes: NftChange[] = [seen(collection, `Small ${at}`)];
    for (let index = 0; index < smallSize; index += 1) changes.push(minted(collection, index));
    blocks.push(blockOf(heightOf(tokens - 1) + 1 + at, changes));
  }
  await apply(true);
  return tokens + small.length * smallSize;
}

function blockOf(height: number, changes: readonly NftChange[]): NftBlock {
  const timestamp = new Date(Date.UTC(2026, 0, 1) + height * 500).toISOString().replace(/0*Z$/, "Z").replace(".Z", "Z");
  return { height, timestamp, changes };
}

function seen(collectionAddr: HexAddress, name: string): NftChange {
  return { kind: "collection", collectionAddr, name, creator: largeHolder };
}

function minted(collectionAddr: HexAddress, index: number): NftChange {
  const tokenId = String(index + 1);
  const owner = ownerOf(index);
  const txHash = index.toString(16).padStart(64, "0");
  return {
    kind: "minted",
    collectionAddr,
    tokenId,
    owner,
    uri: `ipfs://bench/${tokenId}`,
    objectAddr: undefined,
    txHash,
  };
}

/** Returns the first owner of the token with an index, from 0. */
export function ownerOf(index: number): HexAddress {
  if (index % 10 < largeShare) return largeHolder;
  const number = Math.floor(index / 10) % ownerCount;
  return `0xb${number.toString(16).padStart(39, "0")}`;
}
