import { keccak_256 } from "@noble/hashes/sha3";

const letterA = "a".charCodeAt(0);

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
