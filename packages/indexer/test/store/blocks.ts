import type { CollectionSeen, HexAddress, NftBlock, NftChange, TokenMinted } from "../../src/chain/nftChain.ts";
import type { Store } from "../../src/store/openStore.ts";
import type { LeftOut } from "../../src/store/store.ts";

/** An address of 20 bytes that ends in these hex digits. */
export function address(digits: string): HexAddress {
  return `0x${digits.padStart(40, "0")}`;
}

/** A transaction hash made from a number. */
export function hash(number: number): string {
  return `0x${number.toString(16).padStart(64, "0")}`;
}

/** A block with changes. */
export function block(height: number, ...changes: readonly NftChange[]): NftBlock {
  return { height, timestamp: `2026-01-01T00:00:00.${String(height % 1_000_000).padStart(6, "0")}Z`, changes };
}

/** The announcement of a collection. */
export function collection(collectionAddr: HexAddress, name = "Some", creator = address("cc")): CollectionSeen {
  return { kind: "collection", collectionAddr, name, creator };
}

/** The mint of a token. */
export function mint(
  collectionAddr: HexAddress,
  tokenId: string,
  owner: HexAddress,
  rest: Partial<TokenMinted> = {},
): TokenMinted {
  const uri = `ipfs://${tokenId}`;
  return { kind: "minted", collectionAddr, tokenId, owner, uri, objectAddr: undefined, txHash: hash(1), ...rest };
}

/** Applies blocks up to the last one's height; the database may be new. */
export async function apply(store: Store, ...blocks: readonly NftBlock[]): Promise<readonly LeftOut[]> {
  if (!(await store.readChain())) await store.beginChain("test-1", 0);
  return store.applyBlocks(blocks, { height: blocks.at(-1)?.height ?? 0, blockHash: "ab" });
}
