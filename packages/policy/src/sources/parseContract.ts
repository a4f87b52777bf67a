import { parseAccount, type Account } from "@vipscore/core";
import { quoteText } from "@vipscore/core/errors";
import { policyInvalid } from "../policyError.ts";

/**
 * Parses the address of a contract, in any spelling, to lower-case hex.
 *
 * @param bytes Its possible lengths: 20 on EVM, 32 for contracts of Wasm.
 * @throws InputError `POLICY_INVALID`.
 */
export function parseContract(text: string, place: string, bytes: readonly (20 | 32)[]): Account {
  try {
    return parseAccount(text, { accountBytes: bytes });
  } catch (cause) {
    throw policyInvalid(place, `has ${quoteText(text)}, which is not the address of a contract`, { cause });
  }
}
