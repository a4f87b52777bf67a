import type { Account } from "../account.ts";
import { VipError } from "../errors/vipError.ts";
import { group } from "../numbers.ts";
import type { Score, Stage } from "../stage.ts";

/** The chain does not hold exactly the table. `verification` has every difference. */
export class VerificationError extends VipError {
  static override readonly className: string = "VerificationError";

  override readonly name: string = "VerificationError";
  readonly verification: Verification;

  /**
   * @param cause - `finalizedBy`: this command's transaction, if it finalized the stage. `otherWrites`: calls of others that
   * wrote to the stage during a push. `least`: the least revision of a stage of which nodes
   * show an older state, whose rows say nothing.
   */
  constructor(
    verification: Verification,
    cause: {
      readonly finalizedBy?: { readonly hash: string; readonly height: bigint };
      readonly otherWrites?: bigint;
      readonly least?: bigint;
    } = {},
  ) {
    const { finalizedBy, otherWrites = 0n, least } = cause;
    const { stage, height, total, isFinalized, digest, revision } = verification;
    const totals = `Total: the table has ${group(total.expected)}, the contract says ${group(total.contract)}, its rows add up to ${group(total.rows)}.`;
    if (least !== undefined) {
      const known =
        revision === undefined ? "" : `Its revision is at least ${group(least)}, ${group(revision)} was read. `;
      super(`stage ${stage} is not verified: a node shows height ${group(height)} without writes that are in it.`, {
        code: "VERIFY_MISMATCH",
        metaMessages: [
          `${known}The push waited for every node to have them.`,
          "Every row is in a block, but others may have written after it: what the stage holds now is not known.",
          "Push again through an endpoint whose nodes are up to date: it sends only what differs. If that does not help, the contract was replaced, or its revision does not rise with each call.",
        ],
      });
    } else if (finalizedBy === undefined) {
      super(`stage ${stage} does not hold the table at height ${group(height)}: ${differ(verification)}.`, {
        code: "VERIFY_MISMATCH",
        metaMessages: [
          totals,
          ...(otherWrites > 0n ? [`Others wrote to the stage during the push: ${group(otherWrites)} calls.`] : []),
          isFinalized
            ? "The stage is finalized: no call can change its scores."
            : "Push the table to write it, unless it is the wrong file or the contract itself changes what it is sent.",
        ],
      });
    } else {
      super(`stage ${stage} was finalized with other scores than the table: ${differ(verification)}.`, {
        code: "FINALIZED_OTHER_SCORES",
        metaMessages: [
          totals,
          `sha256 of the table ${digest.expected}`,
          `sha256 of the chain ${digest.actual}`,
          `Scores were written after the last verification and before block ${group(finalizedBy.height)}, which has the finalize (transaction ${finalizedBy.hash}).`,
          "This is final: nobody can change the stage's scores. Only a challenge on L1 can change what is paid.",
        ],
      });
    }
    this.verification = least === undefined ? verification : { ...verification, agrees: false };
  }
}

function differ({ differences }: Verification): string {
  return differences.length === 1 ? "1 account differs" : `${group(differences.length)} accounts differ`;
}

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
