import { BroadcastError } from "../errors/broadcastError.ts";
import type { VipError } from "../errors/vipError.ts";
import type { ContractCall, ScoreContract, SignedTransaction, TransactionLimits } from "../scoreContract.ts";
import { explainFailure, findRefusal } from "./explainFailure.ts";
import type { GasCalibration } from "./gasCalibration.ts";
import type { Journal } from "./journal.ts";
import type { PushEvent } from "./pushEvent.ts";
import type { PushPlan } from "./pushPlan.ts";
import { replacedTransaction } from "./replacedTransaction.ts";
import { takeBatch } from "./takeBatch.ts";
import { handOver, waitForOutcome, type Outcome, type WaitOptions } from "./transactionOutcome.ts";

/** Transactions under way at once, once a receipt has calibrated the gas model; before that one. */
const mostInFlight = 8;
/** A failed transaction that used at least this share of its gas limit ran out of gas. */
const outOfGasPercent = 95n;

export interface SendContext extends WaitOptions {
  readonly contract: ScoreContract;
  readonly limits: TransactionLimits;
  readonly calibration: GasCalibration;
  readonly journal: Journal | undefined;
}

interface InFlight {
  readonly transaction: SignedTransaction;
  readonly call: ContractCall & { kind: "updateScores" };
  readonly rowsGas: bigint;
}

/** How a round of sending ended: the rows that are in blocks, and the first thing that went wrong. */
export interface RoundResult {
  readonly confirmedRows: number;
  readonly setback: VipError | undefined;
}

/**
 * Sends the plan's rows in batches, many under way at once with sequences counted here, and waits for all of them. A
 * batch that the node finds too large is halved and tried again; any other setback ends the sending, and what is under
 * way is still waited for, so that afterwards the chain can be read anew.
 */
export async function* sendRows(plan: PushPlan, context: SendContext): AsyncGenerator<PushEvent, RoundResult> {
  const { contract, limits, calibration, journal } = context;
  const signal = context.signal === undefined ? {} : { signal: context.signal };
  const inFlight: InFlight[] = [];
  let sequence = await contract.getSequence(signal);
  let next = 0;
  let confirmedRows = 0;
  let setback: VipError | undefined;

  while (inFlight.length > 0 || (setback === undefined && next < plan.rows.length)) {
    const mayBeUnderWay = calibration.isCalibrated ? mostInFlight : 1;
    if (setback === undefined && next < plan.rows.length && inFlight.length < mayBeUnderWay) {
      context.signal?.throwIfAborted();
      const batch = takeBatch(plan.rows, next, limits, calibration);
      const call = { kind: "updateScores", stage: plan.stage, rows: batch.rows } as const;
      const transaction = await contract.sign(call, { sequence, gas: batch.gas, ...signal });
      try {
        await handOver(contract, transaction, { journal, rows: batch.rows.length, ...signal });
      } catch (error) {
        if (!(error instanceof BroadcastError)) throw error;
        const reason = error.refusal === "execution" ? await findRefusal(contract, call, signal) : undefined;
        if (error.refusal === "too-large" && batch.rows.length > 1) calibration.wasTooLarge(batch.rows.length);
        else setback = reason ?? error;
        yield { type: "setback", rows: batch.rows.length, error: reason ?? error };
        continue;
      }
      inFlight.push({ transaction, call, rowsGas: batch.rowsGas });
      yield { type: "sent", hash: transaction.hash, sequence, rows: batch.rows.length, gas: batch.gas };
      sequence += 1n;
      next += batch.rows.length;
      continue;
    }
    const oldest = inFlight.shift();
    if (oldest === undefined) break;
    const rows = oldest.call.rows.length;
    const outcome = await waitForOutcome(contract, oldest.transaction, context);
    if (outcome.state === "included" && outcome.succeeded) {
      calibration.succeeded(limits.baseGas, oldest.rowsGas, outcome.gasUsed);
      confirmedRows += rows;
      const { height, gasUsed } = outcome;
      yield { type: "confirmed", hash: oldest.transaction.hash, rows, height, gasUsed };
    } else {
      const error = await describeSetback(oldest, outcome, context);
      setback ??= error;
      yield { type: "setback", rows, error };
    }
  }
  return { confirmedRows, setback };
}

async function describeSetback(failed: InFlight, outcome: Outcome, context: SendContext): Promise<VipError> {
  if (outcome.state === "dropped") return replacedTransaction(failed.transaction);
  const { hash, gas } = failed.transaction;
  if (outcome.gasUsed * 100n >= gas * outOfGasPercent) context.calibration.ranOutOfGas();
  const signal = context.signal === undefined ? {} : { signal: context.signal };
  return explainFailure(context.contract, failed.call, { ...outcome, hash }, signal);
}
