import { parseAccount, type Account } from "@vipscore/core";
import { quoteText } from "@vipscore/core/errors";
import type { TomlTable } from "../files/tomlTable.ts";
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

/** Parses the contracts that a field of a source lists: distinct, sorted. @throws InputError `POLICY_INVALID`. */
export function parseContracts(table: TomlTable, field: string, bytes: readonly (20 | 32)[]): readonly Account[] {
  const contracts = table.texts(field).map((text) => parseContract(text, table.place(field), bytes));
  return [...new Set(contracts)].sort();
}
