import { CheckError } from "../errors/vipError.ts";
import { group } from "../numbers.ts";
import type { Verification } from "./verification.ts";

/** The chain does not hold exactly the table. `verification` has every difference. */
export class VerificationError extends CheckError {
  static override readonly className: string = "VerificationError";

  override readonly name: string = "VerificationError";
  readonly verification: Verification;

  /**
   * @param cause - `finalizedBy`: this command's transaction, if it finalized the stage. `otherWrites`: calls of others that
   * wrote to the stage during a push.
   */
  constructor(
    verification: Verification,
    cause: {
      readonly finalizedBy?: { readonly hash: string; readonly height: bigint };
      readonly otherWrites?: bigint;
    } = {},
  ) {
    const { finalizedBy, otherWrites = 0n } = cause;
    const { stage, height, total, isFinalized, digest } = verification;
    const totals = `Total: the table has ${group(total.expected)}, the contract says ${group(total.contract)}, its rows add up to ${group(total.rows)}.`;
    if (finalizedBy === undefined) {
      super(`stage ${stage} does not hold the table at height ${group(height)}: ${differ(verification)}.`, {
        code: "VERIFY_MISMATCH",
        metaMessages: [
          totals,
          ...(otherWrites > 0n ? [`Others wrote to the stage during the push: ${group(otherWrites)} calls.`] : []),
          isFinalized ? "The stage is finalized: its scores can no longer change." : "Push the table to write it.",
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
    this.verification = verification;
  }
}

function differ({ differences }: Verification): string {
  return differences.length === 1 ? "1 account differs" : `${group(differences.length)} accounts differ`;
}
