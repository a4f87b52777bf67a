import { parseAccount } from "@vipscore/core";
import { zeroAddress, type HexAddress } from "../hexAddress.ts";

/**
 * The zero address with 20 and with 32 bytes. Some contracts can transfer tokens to it; `parseAccount` refuses it because it
 * cannot have a score.
 */
const zeroSpellings: ReadonlySet<string> = new Set([
  "init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqa4qvvl",
  "init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqu2lkzy",
]);

/** Parses a bech32 address; undefined if it is not one. */
export function readBech32(text: string): HexAddress | undefined {
  if (zeroSpellings.has(text)) return zeroAddress;
  if (!text.startsWith("init1")) return undefined;
  try {
    return parseAccount(text, { accountBytes: [20, 32] });
  } catch {
    return undefined;
  }
}

/** Parses Move's hex address, which has no leading zeros; undefined if it is not one. */
export function readMoveAddress(text: string): HexAddress | undefined {
  const [, digits] = /^0x([0-9a-f]{1,64})$/i.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const full = digits.toLowerCase().padStart(64, "0");
  return full.startsWith("0".repeat(24)) ? `0x${full.slice(24)}` : `0x${full}`;
}
