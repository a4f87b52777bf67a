import { CheckError } from "../errors/checkError.ts";
import { NodeError } from "../errors/nodeError.ts";
import { VipError } from "../errors/vipError.ts";
import { patienceMs } from "../time/patience.ts";
import type { ScoreContract } from "../scoreContract.ts";
import type { Stage } from "../stage.ts";
import type { ScoreTable } from "../table/scoreTable.ts";
import { callContract } from "./callContract.ts";
import { checkNewest } from "./checkNewest.ts";
import { checkFinalizer } from "./checkControl.ts";
import type { Journal } from "./journal.ts";
import { pollUntil } from "../time/pollUntil.ts";
import { settleJournal } from "./settleJournal.ts";
import type { Verification } from "./verification.ts";
import { VerificationError } from "./verificationError.ts";
import { requireAgreement, verifyScores } from "./verifyScores.ts";
import type { WaitOptions } from "./waitForOutcome.ts";

export interface FinalizeOptions extends WaitOptions {
  /** The table that the chain must hold; nothing is sent unless it does. */
  readonly expect: ScoreTable;
  readonly journal?: Journal;
  /**
   * Asked once everything is checked; the transaction leaves only when it gives true, and the stage still holds the table
   * then.
   */
  readonly confirm?: (verification: Verification) => Promise<boolean>;
}

/** A finalized stage that holds exactly the table. */
export interface FinalizeResult {
  /** The transaction that finalized it; undefined where it was finalized already. */
  readonly transaction: { readonly hash: string; readonly height: bigint; readonly gasUsed: bigint } | undefined;
  /** The comparison of the finalized stage with the table. */
  readonly verification: Verification;
}

/**
 * Finalizes a stage, which cannot be undone, after verifying that the chain holds exactly the table: before `confirm`, right
 * before signing, and in the finalized stage. Where the contract has it, the checked finalize is used with the total, the
 * number of accounts and the revision of the rows that were compared, so that any write between the check and the block makes
 * it fail; a contract that keeps no revisions does not notice one that keeps total and number. A stage that is finalized and
 * holds the table is left as it is, without a transaction.
 *
 * @throws CheckError `VERIFY_MISMATCH`, `STAGE_FINALIZED`, `STAGE_NOT_FOUND`, `PERMISSION_DENIED`, `CONFIRMATION_MISSING`
 * before anything is sent; `FINALIZED_OTHER_SCORES` where scores changed just before the block, and then it is final;
 * ExecutionError `FINALIZE_MISMATCH`; NodeError.
 * @example
 * await finalizeStage(contract, stage(12n), { expect: table });
 */
export async function finalizeStage(
  contract: ScoreContract,
  stage: Stage,
  options: FinalizeOptions,
): Promise<FinalizeResult> {
  const { signal } = options;
  const { expect: table, confirm } = options;
  const verify = () => verifyScores(contract, stage, table, { signal });
  if (options.journal !== undefined) await settleJournal(contract, options.journal, options);
  let verification = await verify();
  if (verification.isFinalized) return alreadyFinalized(verification);
  requireAgreement(verification);
  await checkNewest(contract, (height) => checkFinalizer(contract, { height, signal }), { signal });
  if (confirm !== undefined) {
    if (!(await confirm(verification))) {
      throw new CheckError(`stage ${stage} was not finalized: not confirmed`, { code: "CONFIRMATION_MISSING" });
    }
    // A person may have taken minutes to answer.
    verification = await verify();
    if (verification.isFinalized) return alreadyFinalized(verification);
    requireAgreement(verification);
  }
  const { revision } = verification;
  const expected = {
    total: verification.total.contract,
    count: BigInt(verification.accounts),
    ...(revision === undefined ? {} : { revision }),
  };
  const call = { kind: "finalizeStage", stage, ...(contract.features.checkedFinalize ? { expected } : {}) } as const;
  let transaction: NonNullable<FinalizeResult["transaction"]>;
  try {
    const { hash, height, gasUsed } = await callContract(contract, call, options);
    transaction = { hash, height, gasUsed };
  } catch (error) {
    // Somebody else was faster.
    if (!VipError.isVipError(error) || error.code !== "STAGE_FINALIZED") throw error;
    return alreadyFinalized(await verifyFinalized(verify, options));
  }
  const finalized = await verifyFinalized(verify, options);
  if (!finalized.agrees) throw new VerificationError(finalized, transaction);
  return { transaction, verification: finalized };
}

/**
 * Compares the stage as the block of the finalize left it: a finalized stage does not change, so any state in which it is
 * finalized will do.
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
  throw new NodeError("the endpoint shows the block that finalized the stage, and not yet the finalized stage", {
    code: "NODE_BEHIND",
    metaMessages: ["Run the same command again: it compares the finalized stage with the file."],
  });
}

/** A run after one whose answer was lost meets this; it has to know whether the right scores were finalized. */
function alreadyFinalized(verification: Verification): FinalizeResult {
  const { stage, agrees, total, height, digest } = verification;
  if (agrees) return { transaction: undefined, verification };
  throw new CheckError(
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
