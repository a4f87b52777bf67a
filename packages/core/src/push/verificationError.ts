import { CheckError } from "../errors/checkError.ts";
import type { Verification } from "./verification.ts";

/** The chain does not hold exactly the table. `verification` has every difference. */
export class VerificationError extends CheckError {
  override readonly name: string = "VerificationError";
  readonly verification: Verification;

  constructor(verification: Verification) {
    const { stage, height, differences, total, isFinalized } = verification;
    const differ = differences.length === 1 ? "1 account differs" : `${grouped(differences.length)} accounts differ`;
    super(`stage ${stage} does not hold the table at height ${grouped(height)}: ${differ}.`, {
      code: "VERIFY_MISMATCH",
      metaMessages: [
        `Total: the table has ${grouped(total.expected)}, the contract says ${grouped(total.contract)}, its rows add up to ${grouped(total.rows)}.`,
        isFinalized ? "The stage is finalized: its scores can no longer change." : "Push the table to write it.",
      ],
    });
    this.verification = verification;
  }
}

function grouped(value: bigint | number): string {
  return value.toLocaleString("en-US");
}
