import { parseAccount } from "@vipscore/core";
import type { HexAddress } from "../nftChain.ts";

/** The account that has no key, to which some contracts let tokens go; `parseAccount` refuses it because it cannot score. */
const nobody: HexAddress = `0x${"0".repeat(40)}`;
/** It with 20 and with 32 bytes. */
const nobodySpellings: ReadonlySet<string> = new Set([
  "init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqa4qvvl",
  "init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqu2lkzy",
]);

/** The address that a bech32 text stands for; undefined where it is none. */
export function readBech32(text: string): HexAddress | undefined {
  if (nobodySpellings.has(text)) return nobody;
  if (!text.startsWith("init1")) return undefined;
  try {
    return parseAccount(text, { accountBytes: [20, 32] });
  } catch {
    return undefined;
  }
}

/** The address that Move's hex stands for, which has no leading zeros; undefined where it is none. */
export function readMoveAddress(text: string): HexAddress | undefined {
  const [, digits] = /^0x([0-9a-f]{1,64})$/i.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const full = digits.toLowerCase().padStart(64, "0");
  return full.startsWith("0".repeat(24)) ? `0x${full.slice(24)}` : `0x${full}`;
}
