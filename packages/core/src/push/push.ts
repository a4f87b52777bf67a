import type { ErrorCode } from "../errors/errorCodes.ts";
import { VipError } from "../errors/vipError.ts";
import { formatTokens, group } from "../numbers.ts";
import type { ScoreContract } from "../scoreContract.ts";
import { Patience, patienceMs, pauses, readUntil } from "../time/patience.ts";
import { requireSigner } from "./callContract.ts";
import { FeeBudget, requireFee } from "./feeBudget.ts";
import { InFlightLimit } from "./inFlightLimit.ts";
import type { Journal } from "./journal.ts";
import { GasCalibrations } from "./nextBatch.ts";
import { OwnWrites } from "./ownWrites.ts";
import { planFrom, type PushPlan } from "./planPush.ts";
import type { PushEvent } from "./pushEvent.ts";
import { checkFirstBatch, refuseRows } from "./refusedRow.ts";
import { sendRows, type RoundResult, type SendContext } from "./sendRows.ts";
import type { BatchCall } from "./sendTogether.ts";
import { settleJournal } from "./settleJournal.ts";
import { StageProgress } from "./stageProgress.ts";
import { VerificationError } from "./verificationError.ts";
import { readAndVerify } from "./verifyScores.ts";
import { sequenceAfter, type WaitOptions } from "./waitForOutcome.ts";

export interface PushOptions extends WaitOptions {
  /** Records transactions before they are sent; must be the journal of the plan. */
  readonly journal?: Journal;
}

/** Consecutive rounds that may pay for failed transactions and confirm nothing before the push gives up. */
const maxFailedRounds = 3;

/** Setbacks that another round cannot fix. */
const finalCodes: ReadonlySet<ErrorCode> = new Set([
  "STAGE_FINALIZED",
  "STAGE_NOT_FOUND",
  "PERMISSION_DENIED",
  "INSUFFICIENT_FUNDS",
  "FEE_LIMIT",
  "INVALID_ADDRESS",
]);

/** Maximum number of times that a push with setbacks writes the differences that its verification finds. */
const maxRepairs = 2;

/**
 * Writes a plan to the chain and then verifies the whole stage. After a setback it waits for all transactions in flight and
 * writes the unconfirmed rows again. If the verification after setbacks finds a difference, because a transaction of an earlier
 * run or another writer interfered, it plans and writes that difference too. So a crash at any point followed by a second run
 * leaves the chain in the same state as a single run.
 *
 * Ends normally only when every score and the total agree with the table, at a height at which every node behind the endpoint shows
 * all that the push wrote.
 *
 * @throws VipError `EXTRA_ACCOUNTS` or `INSUFFICIENT_FUNDS` before anything is sent; `FEE_LIMIT`, `VERIFY_MISMATCH`,
 * `PENDING_TRANSACTIONS`; ExecutionError; BroadcastError; NodeError; VipError `ROW_REFUSED`, `NO_PROGRESS`.
 * @example
 * for await (const event of push(contract, plan, { journal })) console.log(event);
 */
export async function* push(
  contract: ScoreContract,
  plan: PushPlan,
  options: PushOptions = {},
): AsyncGenerator<PushEvent, void> {
  const { journal, signal } = options;
  requireSigner(contract);
  checkPlan(plan);
  const { stage, table, prune } = plan;
  if (plan.rows.length > 0) await journal?.recordRun({ digest: table.digest(), rows: table.size, prune });
  const calibrations = new GasCalibrations();
  const inFlightLimit = new InFlightLimit();
  const budget = new FeeBudget(plan.maxFee);
  const own = new OwnWrites(contract, plan, journal);
  let current = plan;
  for (let repairs = 0; ; repairs += 1) {
    let disturbed = false;
    if (current.rows.length > 0) {
      const progress = new StageProgress(contract, current, { isRepair: repairs > 0 });
      const sending = { contract, plan: current, progress, calibrations, inFlightLimit, budget, journal, own };
      disturbed = yield* writeRows({ ...options, ...sending });
      if (journal !== undefined && journal.unsettled.length > 0) {
        // Transactions of an earlier run may have waited behind a gap that this round filled, and written old rows.
        disturbed = true;
        await settleJournal(contract, journal, options);
      }
    }
    const height = await contract.getHeight({ signal });
    const verify = async () => {
      const { least, isOld } = await own.askNodes(height, { signal });
      const read = await readAndVerify(contract, stage, table, { height, signal });
      // Another node than those that were asked may have answered.
      return { ...read, least, isOld: isOld || (read.verification.revision ?? least) !== least };
    };
    const { state, verification, least, isOld } = await readUntil(verify, (read) => !read.isOld, { signal });
    const isRight = verification.agrees && !isOld;
    let isLast = !disturbed || isOld || repairs === maxRepairs;
    if (!isRight && isLast && repairs < maxRepairs) isLast = !(await own.recheck({ signal }));
    if (isOld && isLast) throw new VerificationError(verification, { least });
    const otherWrites = await own.countOthers(verification, { signal });
    if (!verification.agrees && isLast) throw new VerificationError(verification, { otherWrites });
    if (isRight) {
      yield { type: "verified", verification, otherWrites: otherWrites > 0n ? otherWrites : 0n };
      return;
    }
    current = await planFrom(contract, state, table, { ...plan, signal });
    refuseExtraAccounts(current);
    yield { type: "replanned", plan: current };
  }
}

/**
 * Sends the rows of a plan in rounds until all are in blocks.
 *
 * @returns true if there was a setback; after one that only a reading of the stage settles, rows are left.
 */
async function* writeRows(context: Omit<SendContext, "limits">): AsyncGenerator<PushEvent, boolean> {
  const { contract, plan, progress, signal } = context;
  let { rows } = plan;
  let refused: bigint | undefined;
  let disturbed = false;
  let patience: Patience | undefined;
  let idle = 0;
  let failed = 0;
  let suspect: BatchCall | undefined;
  while (rows.length > 0) {
    const limits = await contract.getLimits({ packed: plan.packed, signal });
    const sequence =
      refused === undefined
        ? await contract.getSequence({ signal })
        : await sequenceAfter(contract, refused, { signal });
    const how = { sequence, signal, table: plan.table };
    const all = plan.rows.length;
    if (suspect !== undefined) await refuseRows(contract, suspect, { ...how, written: all - rows.length, all });
    else if (rows === plan.rows) await checkFirstBatch(contract, plan, how);
    const round: RoundResult = yield* sendRows(rows, sequence, { ...context, progress, limits });
    ({ unwritten: rows, refusedSequence: refused, suspect } = round);
    const { setback, confirmedRows, hasFailed } = round;
    if (confirmedRows > 0) {
      patience = undefined;
      idle = 0;
      failed = 0;
    }
    if (setback === undefined) continue;
    disturbed = true;
    if (finalCodes.has(setback.code)) throw setback;
    if (round.isUnclear) return true;
    if (confirmedRows > 0) continue;
    idle += 1;
    if (hasFailed) failed += 1;
    patience ??= new Patience({ forMs: patienceMs.outage, ...pauses.round });
    if (failed === maxFailedRounds || !(await patience.pause(signal))) throw noProgress(idle, setback);
  }
  return disturbed;
}

/**
 * Refuses a plan that a push would not send.
 *
 * @throws VipError `EXTRA_ACCOUNTS`, `FEE_LIMIT`, `INSUFFICIENT_FUNDS`.
 */
export function checkPlan(plan: PushPlan): void {
  refuseExtraAccounts(plan);
  refuseCost(plan);
}

function refuseExtraAccounts(plan: PushPlan): void {
  const { extra } = plan.counts;
  if (extra === 0) return;
  const accounts =
    extra === 1
      ? "1 account that is missing from the table has a score"
      : `${group(extra)} accounts that are missing from the table have a score`;
  throw new VipError(`${accounts} in stage ${plan.stage}`, {
    code: "EXTRA_ACCOUNTS",
    metaMessages: [
      { code: "extra-accounts", text: "Prune them, which sets them to 0, or add them to the file. Nothing was sent." },
    ],
  });
}

function refuseCost({ fees, price, maxFee, quote }: PushPlan): void {
  requireFee("the push", price, maxFee, quote.token);
  if (fees === undefined || price <= fees.balance) return;
  const [cost, balance] = [formatTokens(price, fees.token, "up"), formatTokens(fees.balance, fees.token, "down")];
  throw new VipError(`the push costs up to ${cost}, the signer has ${balance}`, {
    code: "INSUFFICIENT_FUNDS",
    metaMessages: ["Fund the signer and try again. Nothing was sent."],
  });
}

function noProgress(rounds: number, cause: VipError): VipError {
  return new VipError(`${rounds} consecutive rounds changed nothing on the chain: ${cause.shortMessage}`, {
    code: "NO_PROGRESS",
    metaMessages: cause.advice,
    ...(cause.details === undefined ? {} : { details: cause.details }),
    cause,
  });
}
