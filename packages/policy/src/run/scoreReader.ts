import { InputError, parseAccount, u64Max, type Account, type Score } from "@vipscore/core";
import { quoteText } from "@vipscore/core/errors";
import { policyRefused } from "../policyError.ts";
import type { QueryRows } from "./queryJob.ts";

/** Reads the score of each account from the rows of a query. */
export class ScoreReader {
  readonly scores = new Map<Account, Score>();
  readonly #spellings = new Map<Account, string>();

  /** @throws InputError `POLICY_REFUSED` with the value for the first row that is not an account and a score. */
  add({ addresses, scores }: QueryRows): void {
    for (const [row, spelling] of addresses.entries()) {
      if (spelling === null) throw policyRefused("the query gives a row whose address is null");
      const account = accountOf(spelling);
      const score = scoreOf(scores[row] ?? null, account);
      if (this.scores.has(account)) throw repeated(account, this.#spellings.get(account) ?? account, spelling);
      this.scores.set(account, score);
      // Nearly every query gives accounts in the form that its sources have.
      if (spelling !== account) this.#spellings.set(account, spelling);
    }
  }
}

function accountOf(spelling: string): Account {
  try {
    return parseAccount(spelling, { accountBytes: [20, 32] });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw policyRefused(`the query gives a row that has no account: ${error.shortMessage}`, { cause: error });
  }
}

function scoreOf(value: string | null, account: Account): Score {
  if (value === null) throw policyRefused(`the query gives ${account} a score that is null`);
  const score = BigInt(value);
  if (score < 0n || score > u64Max) {
    throw policyRefused(`the query gives ${account} the score ${score}; scores go from 0 to ${u64Max}`);
  }
  return score;
}

function repeated(account: Account, first: string, second: string): InputError {
  const spellings = first === second ? "" : `, as ${quoteText(first)} and as ${quoteText(second)}`;
  return policyRefused(`the query gives ${account} two rows${spellings}`, {
    metaMessages: ["Group by the account, so that each has one row."],
  });
}
