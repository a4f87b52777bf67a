import type { Account } from "@vipscore/core";
import { text, type Field } from "@vipscore/core/field";
import type { AddFile } from "../../files/policyFile.ts";
import { policyInvalid } from "../../policyError.ts";
import { readAccounts } from "../readAccounts.ts";

/** The accounts whose state a source reads. */
export interface AccountsField {
  /** In the file's order, each once. */
  readonly accounts: readonly Account[];
  /** SHA-256 of the file's bytes, in hex. */
  readonly accountsSha256: string;
}

/**
 * Reads the field `accounts`: a CSV file in the policy's folder with a column `address`.
 *
 * @throws InputError `POLICY_INVALID` if an account comes twice; `INPUT_INVALID`, `FILE_UNREADABLE`.
 */
export async function readAccountsField(field: Field, addFile: AddFile): Promise<AccountsField> {
  const file = await addFile(text(field), field.place);
  const accounts = await readAccounts(file);
  const seen = new Set<Account>();
  for (const account of accounts) {
    if (seen.has(account)) throw policyInvalid(file.name, `has ${account} twice; a join would count it twice`);
    seen.add(account);
  }
  return { accounts, accountsSha256: file.sha256 };
}
