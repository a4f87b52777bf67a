import { InputError, parseAccount, type Account, type SignalOptions } from "@vipscore/core";
import { IssueLog } from "@vipscore/core/errors";
import type { PolicyFile } from "../files/policyFile.ts";
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
