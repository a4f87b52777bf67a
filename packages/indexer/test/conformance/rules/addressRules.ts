import { decodeMoveAddress } from "@vipscore/indexer-client/address";
import type { Reading } from "./pageRules.ts";

/** The kind of parameter that holds an address: their errors differ. */
export type AddressParameter = "account" | "collection";

/**
 * Reads an address as the API does: bech32 with the prefix `init`, or up to 64 hex digits with or without `0x`.
 * Nothing is decoded: a percent sign is not a hex digit. Returns several readings where the rules are silent.
 *
 * The texts of errors were recorded from a real indexer, for collections with one wrong character.
 */
export function readAddress(text: string, parameter: AddressParameter): readonly Reading<string>[] {
  const refused: Reading<string> = { error: errorText(text, parameter) };
  try {
    const read: Reading<string> = { value: decodeMoveAddress(text.replace(/^(?=[0-9a-f]+$)/i, "0x")) };
    // Bech32 may be upper case (BIP-173); whether the API accepts it is unknown.
    return text.startsWith("INIT1") ? [read, refused] : [read];
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  const digits = /^(?:0x)?0*([0-9a-fA-F]{0,64})$/.exec(text)?.[1];
  // No digits, or more than 64 with the leading zeros.
  return digits === undefined ? [refused] : [{ value: decodeMoveAddress(`0x${digits || "0"}`) }, { error: undefined }];
}

function errorText(text: string, parameter: AddressParameter): string | undefined {
  if (parameter === "account") return `[INVALID_VALUE] invalid value for account: ${text} (invalid address format)`;
  const lower = text.replace(/^0x/, "").toLowerCase();
  const [bad] = lower.replace(/^0+/, "").match(/[^0-9a-f]/u) ?? [];
  if (lower.length > 64 || bad === undefined || bad > "~") return undefined;
  const code = bad.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  return `encoding/hex: invalid byte: U+${code} '${bad}'`;
}
