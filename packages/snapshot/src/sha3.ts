import { sha3_256 } from "@noble/hashes/sha3";

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
