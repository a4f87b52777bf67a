import type { Account } from "../account.ts";
import type { Score, Stage } from "../stage.ts";

/** An account whose score on the chain differs from the table's. */
export interface Difference {
  readonly account: Account;
  /** The table's score; undefined if the account is missing from the table. */
  readonly expected: Score | undefined;
  /** The chain's score; undefined if the stage has no row for the account. */
  readonly actual: Score | undefined;
}

/** The comparison of a table with a whole stage, at one height. */
export interface Verification {
  readonly stage: Stage;
  readonly height: bigint;
  /** True when every score, the contract's total and the sum of its rows agree with the table. */
  readonly agrees: boolean;
  readonly isFinalized: boolean;
  /** Accounts with a row in the stage, including rows of score 0: the count that a checked finalize expects. */
  readonly accounts: number;
  /** The stage's revision with exactly these rows; undefined if the contract has no revisions. */
  readonly revision: bigint | undefined;
  readonly total: {
    /** The table's total. */
    readonly expected: bigint;
    /** The contract's stored total. */
    readonly contract: bigint;
    /** The sum of the contract's rows. */
    readonly rows: bigint;
  };
  /** sha256 of the canonical text of the table and of the chain's rows; equal when every score agrees. */
  readonly digest: { readonly expected: string; readonly actual: string };
  /** Every difference, in the table's order, accounts unknown to the table last. */
  readonly differences: readonly Difference[];
}
