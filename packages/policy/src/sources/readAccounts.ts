import { InputError, parseAccount, type Account, type SignalOptions } from "@vipscore/core";
import { IssueLog } from "@vipscore/core/errors";
import { text, type Field } from "@vipscore/core/field";
import type { AddFile, PolicyFile } from "../files/policyFile.ts";
import { policyInvalid } from "../policyError.ts";
import { readCsv } from "./readCsv.ts";

/**
 * Reads the column `address` of a CSV file, in the file's order.
 *
 * @throws InputError `INPUT_INVALID` with every row that is not an account; errors of {@link readCsv}.
 */
export async function readAccounts(file: PolicyFile, options: SignalOptions = {}): Promise<readonly Account[]> {
  const accounts: Account[] = [];
  const issues = new IssueLog(file.name);
  for await (const { row, fields } of readCsv(file, ["address"], options)) {
    try {
      accounts.push(parseAccount(fields[0] ?? "", { accountBytes: [20, 32] }));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      issues.add(row, "ADDRESS_INVALID", error.shortMessage);
    }
  }
  issues.throwIfAny();
  return accounts;
}

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
