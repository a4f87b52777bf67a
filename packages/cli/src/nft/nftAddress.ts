import { formatChecksummed, InputError, parseAccount } from "@vipscore/core";
import { decodeAddress } from "@vipscore/indexer-client/address";

/**
 * Parses an account or collection argument, `0x` hex (leading zeros may be omitted) or bech32. Returns `0x` hex of all its
 * bytes.
 *
 * @param what Kind of the address, for the message.
 * @throws InputError `INPUT_INVALID`.
 */
export function parseNftAddress(text: string, what: "account" | "collection"): `0x${string}` {
  try {
    // Bare hex is not accepted: it may be a key in the wrong place.
    if (/^(0x|init1)/i.test(text.trim())) return decodeAddress(text.trim());
  } catch {
    // Reported below.
  }
  const shown = text.slice(0, 100).replace(/[0-9a-f]{64}/gi, "…");
  throw new InputError(`"${shown}" is not the address of ${what === "account" ? "an account" : "a collection"}`, {
    metaMessages: ["An address is 0x and up to 64 hexadecimal digits, or init1…"],
  });
}

/** Formats an owner as `0x` hex, as everywhere in this command. Returns text that is not an address unchanged. */
export function spellOwner(spelling: string): string {
  let hex: string;
  try {
    hex = decodeAddress(spelling);
  } catch {
    return spelling;
  }
  return spellAddress(hex);
}

/** Formats an address given in lower-case `0x` hex: with an EIP-55 checksum if it has 20 bytes. */
export function spellAddress(hex: string): string {
  // The zero address is not a valid account, and has no letters.
  return /^0x0+$/.test(hex) ? hex : formatChecksummed(parseAccount(hex, { accountBytes: [20, 32] }));
}
