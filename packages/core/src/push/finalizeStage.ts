import { CheckError } from "../errors/checkError.ts";
import type { ScoreContract } from "../scoreContract.ts";
import type { Stage } from "../stage.ts";
import type { ScoreTable } from "../table/scoreTable.ts";
import { callContract } from "./callContract.ts";
import { checkNewest } from "./checkNewest.ts";
import { checkMember } from "./checkWritable.ts";
import type { Journal } from "./journal.ts";
import { settleJournal } from "./settleJournal.ts";
import type { WaitOptions } from "./transactionOutcome.ts";
import type { Verification } from "./verification.ts";
import { requireAgreement, verifyScores } from "./verifyScores.ts";

export interface FinalizeOptions extends WaitOptions {
  /** The table that the chain must hold; nothing is sent unless it does. */
  readonly expect: ScoreTable;
  readonly journal?: Journal;
  /** Asked once everything is checked; the transaction leaves only when it gives true. */
  readonly confirm?: (verification: Verification) => Promise<boolean>;
}

/** A finalized stage. */
export interface FinalizeResult {
  readonly hash: string;
  readonly height: bigint;
  readonly gasUsed: bigint;
  /** What was verified before the transaction left. */
  readonly verification: Verification;
}

/**
 * Finalizes a stage, which cannot be undone, after verifying that the chain holds exactly the table. Where the contract
 * has it, the checked finalize is used, so that a write between the check and the block makes it fail.
 *
 * @throws CheckError `VERIFY_MISMATCH`, `STAGE_FINALIZED`, `STAGE_NOT_FOUND`, `PERMISSION_DENIED`,
 * `CONFIRMATION_MISSING`; ExecutionError `FINALIZE_MISMATCH`; NodeError.
 * @example
 * await finalizeStage(contract, stage(12n), { expect: table });
 */
export async function finalizeStage(
  contract: ScoreContract,
  stage: Stage,
  options: FinalizeOptions,
): Promise<FinalizeResult> {
  const signal = options.signal === undefined ? {} : { signal: options.signal };
  if (options.journal !== undefined) await settleJournal(contract, options.journal, options);
  const verification = await verifyScores(contract, stage, options.expect, signal);
  if (verification.isFinalized) throw alreadyFinalized(verification);
  requireAgreement(verification);
  await checkNewest(contract, (height) => checkMember(contract, { height, ...signal }), signal);
  if (options.confirm !== undefined && !(await options.confirm(verification))) {
    throw new CheckError(`stage ${stage} was not finalized: not confirmed`, { code: "CONFIRMATION_MISSING" });
  }
  const expected = { total: verification.total.contract, count: BigInt(verification.accounts) };
  const call = { kind: "finalizeStage", stage, ...(contract.features.checkedFinalize ? { expected } : {}) } as const;
  const { hash, height, gasUsed } = await callContract(contract, call, options);
  return { hash, height, gasUsed, verification };
}

/** A run after one whose answer was lost meets this; it has to know whether the right scores were finalized. */
function alreadyFinalized({ stage, agrees, total, height }: Verification): CheckError {
  const held = agrees
    ? "It holds exactly the table: nothing is left to do."
    : "It does not hold the table; only a challenge on L1 can change what is paid.";
  return new CheckError(
    `stage ${stage} is already finalized (total ${total.contract.toLocaleString("en-US")}, read at height ${height})`,
    { code: "STAGE_FINALIZED", metaMessages: [held] },
  );
}
