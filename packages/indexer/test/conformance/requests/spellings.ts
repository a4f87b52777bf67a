import { formatBech32, parseAccount } from "@vipscore/core";

/** Spellings of an address, valid and invalid, each with a description. */
export function spellingsOf(address: string): readonly string[] {
  const digits = address.slice(2);
  const upper = digits.toUpperCase();
  const account = parseAccount(address, { accountBytes: [20, 32] });
  const bech32 = formatBech32(account);
  return [
    address,
    digits,
    `0x${upper}`,
    upper,
    `0x${digits.replace(/^0+/, "")}`,
    digits.replace(/^0+/, ""),
    `0x${digits.padStart(64, "0")}`,
    digits.padStart(64, "0"),
    `0x${digits.padStart(41, "0")}`,
    bech32,
    // From here on invalid, or without a known meaning.
    `0X${digits}`,
    `%30x${digits}`,
    `0x${digits.slice(0, -1)}%30`,
    `0x${digits.slice(0, -1)}g`,
    `0x${"f".repeat(41)}`,
    `0x${"f".repeat(65)}`,
    `0x0${digits.padStart(64, "0")}`,
    bech32.toUpperCase(),
    `${bech32.slice(0, -1)}${bech32.endsWith("q") ? "p" : "q"}`,
    formatBech32(account, "cosmos"),
    formatBech32(account, "initvaloper"),
    bech32.slice(0, 12),
    "0x",
    "0x0",
    "nothex",
    "zz",
    "0x12345",
    `0x${digits} `.replace(" ", "%20"),
    "-1",
    "0xé".replace("é", "%C3%A9"),
  ];
}
