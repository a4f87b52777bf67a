import { bech32 } from "@scure/base";
import type { Account } from "../account.ts";
import { checksumHex } from "./checksumHex.ts";
import { initiaPrefix } from "./readAccount.ts";

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
