import { InputError } from "@vipscore/core";
import { decodeAddress } from "@vipscore/indexer-client/address";

/**
 * An account or a collection given as an argument, as `0x` hex of its bytes. Spelled as `0x` hex, of which leading zeros may
 * be left out, or as bech32.
 *
 * @param what What the address is of, for the message.
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
