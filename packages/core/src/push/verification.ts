import type { Account } from "../account.ts";
import type { Score } from "../score.ts";
import type { Stage } from "../stage.ts";

/** One account whose score on the chain is not the table's. */
export interface Difference {
  readonly account: Account;
  /** The table's score; undefined where the table does not name the account. */
  readonly expected: Score | undefined;
  /** The chain's score; undefined where the stage has no row for the account. */
  readonly actual: Score | undefined;
}

/** What a comparison of a table with a whole stage found, at one height. */
export interface Verification {
  readonly stage: Stage;
  readonly height: bigint;
  /** True when every score, the contract's total and the sum of its rows agree with the table. */
  readonly agrees: boolean;
  readonly isFinalized: boolean;
  /** Accounts with a row in the stage, rows of score 0 included: the count that a checked finalize expects. */
  readonly accounts: number;
  /** The stage's revision with these very rows; undefined where the contract keeps none. */
  readonly revision: bigint | undefined;
  readonly total: {
    /** The table's. */
    readonly expected: bigint;
    /** What the contract says. */
    readonly contract: bigint;
    /** What the contract's rows add up to. */
    readonly rows: bigint;
  };
  /** sha256 of the canonical text of the table and of the chain's rows; equal when every score agrees. */
  readonly digest: { readonly expected: string; readonly actual: string };
  /** Every difference, in the table's order, accounts unknown to the table last. */
  readonly differences: readonly Difference[];
}
