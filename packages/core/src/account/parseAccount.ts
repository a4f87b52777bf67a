import type { Account } from "../account.ts";
import { InputError } from "../errors/inputError.ts";
import { readAccount, type AccountOptions } from "./readAccount.ts";

/**
 * Parses one account, spelled as `0x` hex or bech32; white space around it is ignored.
 *
 * Mixed-case hex of 20 bytes must satisfy EIP-55; bech32 must have a valid checksum and prefix. If accounts of 20 and 32 bytes
 * are allowed, 32 bytes that start with 12 zero bytes are the account of the last 20. The zero address is rejected.
 *
 * @throws InputError `INPUT_INVALID`.
 * @example
 * const account = parseAccount("0xc5ea55d90Ae84e307622f1b8B13535Ec3Eff0475", { accountBytes: [20] });
 */
export function parseAccount(text: string, options: AccountOptions): Account {
  const account = readAccount(text.trim(), options);
  if (typeof account !== "string") throw new InputError(account.message);
  return account;
}
