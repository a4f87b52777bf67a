import { InputError, parseAccount, type Account } from "@vipscore/core";
import type { Answer } from "@vipscore/core/wire";

/** The lengths in bytes that an account may have on Move. */
export const moveAccountBytes: readonly (20 | 32)[] = [20, 32];

/** Bytes of an address in the VM. */
export const addressBytes = 32;

const paddingDigits = 24;

/** The hex digits of an account in the VM: 32 bytes; a 20-byte account has 12 leading zero bytes. */
export function addressHex(account: Account): string {
  return account.slice(2).padStart(2 * addressBytes, "0");
}

/** The account for 32 bytes of the VM, lowercase in `hex`: 20 bytes if the first 12 are zero. */
export function accountOfAddress(hex: string): Account {
  const text = hex.startsWith("0".repeat(paddingDigits)) ? `0x${hex.slice(paddingDigits)}` : `0x${hex}`;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- 0x and lower-case hex of 20 or 32 bytes is that form
  return text as Account;
}

/** Compares two accounts by their 32 bytes, which is the order of a table's keys. */
export function compareAddresses(a: Account, b: Account): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : 1;
}

/** Reads an address in a node's JSON form, without leading zeros, e.g. `0x1`. */
export function readAddress(answer: Answer): Account {
  const text = answer.text();
  if (!/^0x[0-9a-f]{1,64}$/.test(text)) return answer.unreadable("an address");
  return accountOfAddress(text.slice(2).padStart(2 * addressBytes, "0"));
}

/** Parses a module's address in hex or bech32. */
export function parseModuleAddress(text: string): Account {
  // The short form that explorers show.
  const padded = /^0x[0-9a-f]{1,39}$/.test(text) ? `0x${text.slice(2).padStart(40, "0")}` : text;
  try {
    return parseAccount(padded, { accountBytes: moveAccountBytes });
  } catch (cause) {
    if (!(cause instanceof InputError)) throw cause;
    throw new InputError(`module address: ${cause.shortMessage}`, { cause });
  }
}
