import { sha3_256 } from "@noble/hashes/sha3";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils";
import { InputError } from "@vipscore/core/errors";
import { u64Max } from "@vipscore/core/values";

/** The part of Node's `crypto` in use. */
interface NodeCrypto {
  readonly hash?: (algorithm: string, data: Uint8Array, encoding: "buffer") => Uint8Array;
  readonly getHashes?: () => readonly string[];
}

// Declared here because browsers, which lack it, have no types for it.
declare const process: { getBuiltinModule?(name: "node:crypto"): NodeCrypto | undefined } | undefined;

/** Returns FIPS 202's SHA3-256 of the bytes, 32 bytes that the caller may keep. */
export type Sha3 = (data: Uint8Array) => Uint8Array;

/**
 * Node's own SHA3-256, or that of JavaScript. Node's own makes a tree four to five times as fast as JavaScript's; it is
 * looked up at run time, because an import of it would break browsers.
 */
export const defaultSha3: Sha3 = findNative() ?? sha3_256;

function findNative(): Sha3 | undefined {
  const crypto = typeof process === "undefined" ? undefined : process.getBuiltinModule?.("node:crypto");
  const hash = crypto?.hash;
  if (hash === undefined || crypto?.getHashes?.().includes("sha3-256") !== true) return undefined;
  return (data) => hash("sha3-256", data, "buffer");
}

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

/** Returns the level above one, 32 bytes a node. */
export function hashLevel(
  level: Uint8Array,
  { oddNode }: { readonly oddNode: "promote" | "duplicate" },
  sha3: Sha3 = defaultSha3,
): Uint8Array {
  const above = new Uint8Array(hashBytes * Math.ceil(level.length / hashBytes / 2));
  for (let place = 0; place < above.length; place += hashBytes) {
    const one = level.subarray(2 * place, 2 * place + hashBytes);
    const hasPair = 2 * place + hashBytes < level.length;
    const other = hasPair ? level.subarray(2 * place + hashBytes, 2 * place + 2 * hashBytes) : one;
    above.set(hasPair || oddNode === "duplicate" ? hashNodes(one, other, sha3) : one, place);
  }
  return above;
}

function isBelow(one: Uint8Array, other: Uint8Array): boolean {
  for (let index = 0; index < hashBytes; index += 1) {
    const left = one[index] ?? 0;
    const right = other[index] ?? 0;
    if (left !== right) return left < right;
  }
  return true;
}

/** @throws InputError `INPUT_INVALID` if the value does not fit u64. */
export function requireU64(name: string, value: bigint): void {
  if (value >= 0n && value <= u64Max) return;
  throw new InputError(`${name} ${value} is not an integer from 0 to ${u64Max}`);
}

const zeroPadding = "0".repeat(24);

/** Returns the 32 bytes of an address as a leaf has them, 20 bytes padded on the left; undefined for any other text. */
export function addressBytes(text: string): Uint8Array | undefined {
  if (!/^0x(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(text)) return undefined;
  const bytes = hexToBytes(text.slice(2));
  if (bytes.length === hashBytes) return bytes;
  const padded = new Uint8Array(hashBytes);
  padded.set(bytes, hashBytes - bytes.length);
  return padded;
}

/** Returns `0x` and the lower-case hex of an address, without the padding of 20 bytes. */
export function addressText(bytes: Uint8Array): `0x${string}` {
  const hex = bytesToHex(bytes);
  return `0x${hex.startsWith(zeroPadding) ? hex.slice(zeroPadding.length) : hex}`;
}

/** Returns the indexes of entries of 32 bytes each, ascending by these bytes. Equal entries keep their order. */
export function sortByBytes(entries: Uint8Array): Uint32Array {
  const view = dataView(entries);
  const order = new Uint32Array(entries.length / 32);
  for (let index = 0; index < order.length; index += 1) order[index] = index;
  return order.sort((left, right) => compareEntries(view, left, view, right));
}

/** Finds a 32-byte entry by its bytes; undefined if no entry has them. */
export function findByBytes(entries: Uint8Array, order: Uint32Array, wanted: Uint8Array): number | undefined {
  const view = dataView(entries);
  const wantedView = dataView(wanted);
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const index = order[middle] ?? 0;
    const difference = compareEntries(view, index, wantedView, 0);
    if (difference === 0) return index;
    if (difference < 0) low = middle + 1;
    else high = middle;
  }
  return undefined;
}

function dataView(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function compareEntries(one: DataView, left: number, other: DataView, right: number): number {
  for (let offset = 0; offset < 32; offset += 4) {
    const difference = one.getUint32(32 * left + offset) - other.getUint32(32 * right + offset);
    if (difference !== 0) return difference;
  }
  return 0;
}
