import type { Account } from "../account.ts";
import type { InputProblem } from "../errors/inputError.ts";
import { quoteText } from "../errors/quoteText.ts";

const zeroPadding = "0".repeat(24);

/**
 * Returns the account with these 20 or 32 bytes, on a chain whose accounts have the given lengths.
 *
 * `hex` is `0x` and the lower-case hex of the bytes; `spelling` is the text of the input.
 */
export function accountOfBytes(
  hex: string,
  spelling: string,
  accountBytes: readonly (20 | 32)[],
): Account | InputProblem {
  if (/^0x0+$/.test(hex)) {
    return { reason: "ADDRESS_ZERO", message: `address ${quoteText(spelling)} is the zero address, which nobody owns` };
  }
  const allows20 = accountBytes.includes(20);
  const allows32 = accountBytes.includes(32);
  if (hex.length === 42) {
    if (allows20) return asAccount(hex);
    return { reason: "ADDRESS_LENGTH", message: `address ${quoteText(spelling)} has 20 bytes; accounts here have 32` };
  }
  if (!allows32) {
    const message = `address ${quoteText(spelling)} has 32 bytes; a 32-byte address cannot be used on this chain`;
    return { reason: "ADDRESS_LENGTH", message };
  }
  return asAccount(allows20 && hex.startsWith(zeroPadding, 2) ? `0x${hex.slice(26)}` : hex);
}

function asAccount(hex: string): Account {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- 0x and lower-case hex of 20 or 32 bytes is that form
  return hex as Account;
}
