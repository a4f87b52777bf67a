import { bytesToHex, hexToBytes } from "@noble/hashes/utils";
import { InputError } from "@vipscore/core/errors";
import { hashBytes } from "./hashNodes.ts";

/** The largest u64. */
export const u64Max = 2n ** 64n - 1n;

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
