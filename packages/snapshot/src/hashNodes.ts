import { defaultSha3, type Sha3 } from "./sha3.ts";

/** Bytes of a hash, and of an address in a leaf. */
export const hashBytes = 32;

/** Content that a leaf commits to. */
export interface LeafContent {
  readonly bridgeId: bigint;
  readonly stage: bigint;
  /** 32 bytes. */
  readonly address: Uint8Array;
  readonly score: bigint;
  readonly total: bigint;
}

// Leaves and nodes hash 64 bytes alike; nothing keeps them.
const content = new Uint8Array(64);
const contentView = new DataView(content.buffer);

/** Returns the hash of a leaf: bridge and stage as little-endian u64, the address, score and total as little-endian u64. */
export function hashLeaf(
  { bridgeId, stage, address, score, total }: LeafContent,
  sha3: Sha3 = defaultSha3,
): Uint8Array {
  contentView.setBigUint64(0, bridgeId, true);
  contentView.setBigUint64(8, stage, true);
  content.set(address, 16);
  contentView.setBigUint64(48, score, true);
  contentView.setBigUint64(56, total, true);
  return sha3(content);
}

/** Returns the hash of two nodes, the smaller first, so that a proof needs no left and right. */
export function hashNodes(one: Uint8Array, other: Uint8Array, sha3: Sha3 = defaultSha3): Uint8Array {
  const isInOrder = isBelow(one, other);
  content.set(isInOrder ? one : other, 0);
  content.set(isInOrder ? other : one, hashBytes);
  return sha3(content);
}

function isBelow(one: Uint8Array, other: Uint8Array): boolean {
  for (let index = 0; index < hashBytes; index += 1) {
    const left = one[index] ?? 0;
    const right = other[index] ?? 0;
    if (left !== right) return left < right;
  }
  return true;
}
