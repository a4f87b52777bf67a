import { NodeError, VipError } from "../errors/vipError.ts";
import type { OtherCall, ScoreContract } from "../scoreContract.ts";
import type { Stage } from "../stage.ts";
import type { ScoreTable } from "../table/scoreTable.ts";
import { patienceMs, pollUntil } from "../time/patience.ts";
import { callContract, checkFinalizer } from "./callContract.ts";
import { checkNewest, readWritten } from "./checkNewest.ts";
import type { Journal } from "./journal.ts";
import { settleJournal } from "./settleJournal.ts";
import { VerificationError, type Verification } from "./verificationError.ts";
import { requireAgreement, requireSameStage, verifyScores } from "./verifyScores.ts";
import type { WaitOptions } from "./waitForOutcome.ts";

export interface FinalizeOptions extends WaitOptions {
  /** The table that the chain must hold; nothing is sent unless it does. */
  readonly expect: ScoreTable;
  readonly journal?: Journal;
  /** The same contract through a second endpoint, which must show the same stage before and after `confirm`. */
  readonly second?: ScoreContract;
  /**
   * Called once everything is checked; the transaction is sent only if it returns true and the stage still holds the table.
   */
  readonly confirm?: (verification: Verification) => Promise<boolean>;
}

/** A finalized stage that holds exactly the table. */
export interface FinalizeResult {
  /** The transaction that finalized it; undefined if it was already finalized. */
  readonly transaction: Awaited<ReturnType<typeof callContract>> | undefined;
  /** The comparison of the finalized stage with the table. */
  readonly verification: Verification;
}

/**
 * Finalizes a stage, which cannot be undone, after verifying that the chain holds exactly the table: before `confirm`, right
 * before signing, and in the finalized stage. Expects the total, the number of accounts and the revision of the compared rows,
 * so that it fails after any write between the check and the block; a reference contract does not detect such a write. If the
 * stage is already finalized and holds the table, sends nothing.
 *
 * @throws VipError `VERIFY_MISMATCH`, `ENDPOINTS_DIFFER`, `STAGE_FINALIZED`, `STAGE_NOT_FOUND`, `PERMISSION_DENIED`,
 * `CONFIRMATION_MISSING` before anything is sent; `FINALIZED_OTHER_SCORES` if scores changed just before the block, which cannot be undone;
 * ExecutionError `FINALIZE_MISMATCH`; NodeError.
 * @example
 * await finalizeStage(contract, stage(12n), { expect: table });
 */
export async function finalizeStage(
  contract: ScoreContract,
  stage: Stage,
  options: FinalizeOptions,
): Promise<FinalizeResult> {
  const { expect: table, signal } = options;
  const { verification: before, call } = await prepareFinalize(contract, stage, options);
  if (call === undefined) return { transaction: undefined, verification: before };
  const verify = () => verifyScores(contract, stage, table, { signal });
  let transaction: NonNullable<FinalizeResult["transaction"]>;
  try {
    transaction = await callContract(contract, call, options);
  } catch (error) {
    // Someone else finalized it first.
    if (!VipError.isVipError(error) || error.code !== "STAGE_FINALIZED") throw error;
    return alreadyFinalized(await verifyFinalized(verify, options));
  }
  const finalized = await verifyFinalized(verify, options);
  if (!finalized.agrees) throw new VerificationError(finalized, { finalizedBy: transaction });
  return { transaction, verification: finalized };
}

/** A finalize that was checked and not sent. */
export interface PreparedFinalize {
  /** The comparison of the stage with the table. */
  readonly verification: Verification;
  /** The call that finalizes the stage; undefined if it is already finalized and holds the table. */
  readonly call: Extract<OtherCall, { kind: "finalizeStage" }> | undefined;
}

/**
 * Checks everything that `finalizeStage` checks before it signs, and returns its call. Sends nothing.
 *
 * @throws VipError `VERIFY_MISMATCH`, `ENDPOINTS_DIFFER`, `STAGE_FINALIZED`, `STAGE_NOT_FOUND`, `PERMISSION_DENIED`,
 * `CONFIRMATION_MISSING`; NodeError.
 */
export async function prepareFinalize(
  contract: ScoreContract,
  stage: Stage,
  options: FinalizeOptions,
): Promise<PreparedFinalize> {
  const { expect: table, journal, confirm, second, signal } = options;
  const verify = async (): Promise<Verification> => {
    const read = () => verifyScores(contract, stage, table, { signal });
    const shown = await readWritten(contract, read, (verification) => verification, { journal, signal });
    if (!shown.isFinalized) requireAgreement(shown);
    else alreadyFinalized(shown);
    if (second !== undefined) await requireSameStage(second, shown, table, { signal });
    return shown;
  };
  if (journal !== undefined) await settleJournal(contract, journal, options);
  let verification = await verify();
  if (verification.isFinalized) return { verification, call: undefined };
  await checkNewest(contract, (height) => checkFinalizer(contract, { height, signal }), { signal });
  if (confirm !== undefined) {
    if (!(await confirm(verification))) {
      throw new VipError(`stage ${stage} was not finalized: not confirmed`, { code: "CONFIRMATION_MISSING" });
    }
    // The confirmation may have taken minutes.
    verification = await verify();
    if (verification.isFinalized) return { verification, call: undefined };
  }
  const { accounts, revision, total } = verification;
  // A reference contract has no revision, and no checked finalize.
  if (revision === undefined) return { verification, call: { kind: "finalizeStage", stage } };
  const expected = { total: total.contract, count: BigInt(accounts), revision };
  return { verification, call: { kind: "finalizeStage", stage, expected } };
}

/**
 * Compares the finalized stage. It no longer changes, so any state in which it is finalized will do.
 */
async function verifyFinalized(
  verify: () => Promise<Verification>,
  { signal }: Pick<WaitOptions, "signal">,
): Promise<Verification> {
  const shown = await pollUntil(
    async () => {
      const verification = await verify();
      return verification.isFinalized ? verification : undefined;
    },
    { timeoutMs: patienceMs.behind, signal },
  );
  if (shown !== undefined) return shown;
  throw new NodeError("the endpoint shows the block that finalized the stage, but not yet the finalized stage", {
    code: "NODE_BEHIND",
    metaMessages: ["Try again: that compares the finalized stage with the file."],
  });
}

/** Handles a stage that an earlier run finalized, whose answer may be lost: checks that it holds the right scores. */
function alreadyFinalized(verification: Verification): FinalizeResult {
  const { stage, agrees, total, height, digest } = verification;
  if (agrees) return { transaction: undefined, verification };
  throw new VipError(
    `stage ${stage} is already finalized (total ${total.contract.toLocaleString("en-US")}, read at height ${height})`,
    {
      code: "STAGE_FINALIZED",
      metaMessages: [
        "It does not hold the table; only a challenge on L1 can change what is paid.",
        `sha256 of the table ${digest.expected}`,
        `sha256 of the chain ${digest.actual}`,
      ],
    },
  );
}
