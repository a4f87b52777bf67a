import { keccak_256 } from "@noble/hashes/sha3";
import { bech32 } from "@scure/base";
import type { Account } from "../account.ts";

/** Human-readable part of account addresses on Initia and its rollups. */
export const initiaPrefix = "init";

const letterA = "a".charCodeAt(0);

/**
 * Formats the account as bech32 text of 43 (20 bytes) or 63 (32 bytes) characters, with the prefix `init`.
 *
 * @example
 * formatBech32(account); // init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6
 */
export function formatBech32(account: Account, prefix: string = initiaPrefix): string {
  const bytes = Buffer.from(account.slice(2), "hex");
  // No length limit: the chain may choose a long prefix, and `parseAccount` reads it back.
  return bech32.encode(prefix, bech32.toWords(bytes), false);
}

/**
 * Formats the account as `0x` hex with EIP-55 capitals. 32 bytes, which EIP-55 does not cover, stay lower-case.
 *
 * @example
 * formatChecksummed(account); // 0xc5ea55d90Ae84e307622f1b8B13535Ec3Eff0475
 */
export function formatChecksummed(account: Account): string {
  return account.length === 42 ? checksumHex(account) : account;
}

/** Capitalizes `0x` and 40 lower-case hex digits as EIP-55 requires (https://eips.ethereum.org/EIPS/eip-55). */
export function checksumHex(hex: string): string {
  const digits = hex.slice(2);
  // EIP-55 hashes the text of the digits, not the bytes.
  const hash = keccak_256(digits);
  let checksummed = "0x";
  for (let index = 0; index < digits.length; index += 1) {
    const byte = hash[index >> 1] ?? 0;
    const nibble = index % 2 === 0 ? byte >> 4 : byte & 15;
    const isCapital = nibble >= 8 && digits.charCodeAt(index) >= letterA;
    checksummed += isCapital ? digits.charAt(index).toUpperCase() : digits.charAt(index);
  }
  return checksummed;
}
