import { zeroAddress } from "@vipscore/blocks";
import { parseAccount } from "@vipscore/core";
import type { HexAddress } from "../chain/nftChain.ts";
import { BadRequest } from "./badRequest.ts";

/** Only text of this form is tried as bech32, including the checksum. */
const bech32Text = /^(?:init1[02-9ac-hj-np-z]+|INIT1[02-9AC-HJ-NP-Z]+)$/;

/**
 * Parses the account of a request: Initia bech32, or hex with or without `0x` and leading zeros, as recorded from a
 * real indexer.
 *
 * @param text - Raw text from the path, not percent-decoded.
 * @throws BadRequest with the recorded message.
 */
export function accountOf(text: string): HexAddress {
  const digits = digitsOf(text);
  if (digits === undefined || firstNonHexByte(digits) !== undefined) throw invalidValue("account", text);
  return addressOfDigits(digits);
}

/**
 * Parses the collection of a request, in the same forms.
 *
 * @throws BadRequest with the recorded message, which differs from an account's: the text of Go's hex decoder.
 */
export function collectionAddrOf(text: string): HexAddress {
  const digits = digitsOf(text);
  if (digits === undefined) throw invalidValue("address", text);
  const byte = firstNonHexByte(digits);
  if (byte !== undefined) throw new BadRequest(`encoding/hex: invalid byte: ${describeByte(byte)}`);
  return addressOfDigits(digits);
}

/** At most 64 presumed hex digits, without leading zeros; undefined if there are more. */
function digitsOf(text: string): string | undefined {
  if (bech32Text.test(text)) {
    try {
      return parseAccount(text, { accountBytes: [20, 32] }).slice(2);
    } catch {
      // Not bech32 of an account: read as hex below, which fails with the recorded message.
    }
  }
  const digits = text.replace(/^0x/, "").replace(/^0+/, "").toLowerCase();
  return Buffer.byteLength(digits) > 64 ? undefined : digits;
}

function firstNonHexByte(digits: string): number | undefined {
  return Buffer.from(digits).find((byte) => !/[0-9a-f]/.test(String.fromCharCode(byte)));
}

/** A byte as Go prints it: its code point, and the character if it is printable. */
function describeByte(byte: number): string {
  const character = String.fromCharCode(byte);
  const code = `U+${byte.toString(16).toUpperCase().padStart(4, "0")}`;
  return /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(character) ? `${code} '${character}'` : code;
}

function addressOfDigits(digits: string): HexAddress {
  const trimmed = digits.replace(/^0+/, "");
  if (trimmed === "") return zeroAddress;
  return `0x${trimmed.padStart(trimmed.length > 40 ? 64 : 40, "0")}`;
}

function invalidValue(name: string, text: string): BadRequest {
  return new BadRequest(`[INVALID_VALUE] invalid value for ${name}: ${text} (invalid address format)`);
}
