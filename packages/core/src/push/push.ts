import { CheckError } from "../errors/checkError.ts";
import type { ErrorCode } from "../errors/errorCodes.ts";
import { VipError } from "../errors/vipError.ts";
import type { ScoreContract } from "../scoreContract.ts";
import { requireSigner } from "./checkWritable.ts";
import { GasCalibration } from "./gasCalibration.ts";
import type { Journal } from "./journal.ts";
import { planPush } from "./planPush.ts";
import type { PushEvent } from "./pushEvent.ts";
import type { PushPlan } from "./pushPlan.ts";
import { sendRows, type RoundResult } from "./sendRows.ts";
import type { WaitOptions } from "./transactionOutcome.ts";
import { requireAgreement, verifyScores } from "./verifyScores.ts";

export interface PushOptions extends WaitOptions {
  /** Where transactions are noted before they leave; the one that the plan was made with. */
  readonly journal?: Journal;
}

/** Rounds in a row that may confirm nothing before the push gives up. */
const mostIdleRounds = 3;

/** Setbacks that planning anew cannot cure. */
const finalCodes: ReadonlySet<ErrorCode> = new Set([
  "STAGE_FINALIZED",
  "STAGE_NOT_FOUND",
  "PERMISSION_DENIED",
  "INSUFFICIENT_FUNDS",
  "INVALID_ADDRESS",
]);

/**
 * Writes a plan to the chain and verifies the whole stage afterwards. Whatever goes wrong on the way, the answer is the
 * same: wait for all that is under way, read the chain, plan the difference anew, go on. So a crash at any point and a
 * second run leave the chain as one run would have.
 *
 * Ends normally only when every score and the total agree with the table.
 *
 * @throws CheckError `EXTRA_ACCOUNTS` or `INSUFFICIENT_FUNDS` before anything is sent; `VERIFY_MISMATCH`,
 * `PENDING_TRANSACTIONS`; ExecutionError; BroadcastError; NodeError; VipError `NO_PROGRESS`.
 * @example
 * for await (const event of push(contract, plan, { journal })) console.log(event);
 */
export async function* push(
  contract: ScoreContract,
  plan: PushPlan,
  options: PushOptions = {},
): AsyncGenerator<PushEvent, void> {
  const signal = options.signal === undefined ? {} : { signal: options.signal };
  requireSigner(contract);
  refuseExtraAccounts(plan);
  refuseWithoutFunds(plan);
  const { journal } = options;
  const { stage, table, prune } = plan;
  if (plan.rows.length > 0) await journal?.recordRun({ digest: table.digest(), rows: table.size });
  const calibration = new GasCalibration();
  let current = plan;
  for (let idle = 0; current.rows.length > 0;) {
    const limits = await contract.getLimits(signal);
    const round: RoundResult = yield* sendRows(current, { ...options, contract, limits, calibration, journal });
    if (round.setback !== undefined) {
      if (finalCodes.has(round.setback.code)) throw round.setback;
      idle = round.confirmedRows > 0 ? 0 : idle + 1;
      if (idle === mostIdleRounds) throw noProgress(round.setback);
    } else if (journal === undefined || journal.unsettled.length === 0) break;
    // Else transactions of an earlier run waited behind a gap that this round filled, and may have written old rows.
    current = await planPush(contract, stage, table, { ...options, prune });
    yield { type: "replanned", plan: current };
  }
  const verification = await verifyScores(contract, stage, table, signal);
  requireAgreement(verification);
  yield { type: "verified", verification };
}

function refuseExtraAccounts(plan: PushPlan): void {
  const { extra } = plan.counts;
  if (extra === 0) return;
  const accounts =
    extra === 1
      ? "1 account that the table does not name has a score"
      : `${extra} accounts that the table does not name have a score`;
  throw new CheckError(`${accounts} in stage ${plan.stage}`, {
    code: "EXTRA_ACCOUNTS",
    metaMessages: ["Push with --prune to set them to 0, or add them to the file. Nothing was sent."],
  });
}

function refuseWithoutFunds(plan: PushPlan): void {
  const { fees, price } = plan;
  if (fees === undefined || price === undefined || price <= fees.balance) return;
  throw new CheckError(
    `the push costs up to ${price}, the signer has ${fees.balance} (smallest units of ${fees.token.symbol})`,
    {
      code: "INSUFFICIENT_FUNDS",
      metaMessages: ["Fund the signer and run again. Nothing was sent."],
    },
  );
}

function noProgress(cause: VipError): VipError {
  return new VipError(`${mostIdleRounds} rounds in a row changed nothing on the chain: ${cause.shortMessage}`, {
    code: "NO_PROGRESS",
    metaMessages: cause.metaMessages,
    ...(cause.details === undefined ? {} : { details: cause.details }),
    cause,
  });
}
