import { BroadcastError } from "../errors/broadcastError.ts";
import type { VipError } from "../errors/vipError.ts";
import type { ContractCall, PricedRow, ScoreContract, SignedTransaction, TransactionLimits } from "../scoreContract.ts";
import type { Stage } from "../stage.ts";
import { explainFailure, findRefusal } from "./explainFailure.ts";
import type { GasCalibrations } from "./gasCalibration.ts";
import type { InFlightLimit } from "./inFlightLimit.ts";
import type { Journal } from "./journal.ts";
import type { PushEvent } from "./pushEvent.ts";
import { replacedTransaction } from "./replacedTransaction.ts";
import { signAndHandOver } from "./signAndHandOver.ts";
import { takeBatch } from "./takeBatch.ts";
import { waitForOutcome, type Outcome, type WaitOptions } from "./waitForOutcome.ts";

/** A failed transaction that used at least this share of its gas limit ran out of gas. */
const outOfGasPercent = 95n;

export interface SendContext extends WaitOptions {
  readonly contract: ScoreContract;
  readonly stage: Stage;
  readonly limits: TransactionLimits;
  readonly calibrations: GasCalibrations;
  readonly inFlightLimit: InFlightLimit;
  readonly journal: Journal | undefined;
}

/** Transactions that are looked up while others are broadcast; the node answers both slowly while it makes a block. */
const maxWatched = 4;

interface InFlight {
  readonly transaction: SignedTransaction;
  readonly call: ContractCall & { kind: "updateScores"; rows: readonly PricedRow[]; packed: boolean };
  readonly rowsGas: bigint;
  /** True if it was signed again to fill the gap of a lost transaction. */
  readonly isRefill: boolean;
  /** Its outcome, once it is watched. */
  outcome?: Promise<Outcome>;
  isSettled: boolean;
}

/** The result of a round of sending. */
export interface RoundResult {
  readonly confirmedRows: number;
  /** True if a transaction failed in a block, which may have cost a fee. */
  readonly hasFailed: boolean;
  /** The unconfirmed rows, in the order to write them. */
  readonly unwritten: readonly PricedRow[];
  /** The first setback. */
  readonly setback: VipError | undefined;
  /** The sequence that the node refused, if that was the setback. */
  readonly refusedSequence: bigint | undefined;
}

/**
 * Sends rows in batches, with many transactions in flight and locally counted sequences, and waits for all of them. Halves and
 * retries a batch that is too large for the node. Any other setback ends the sending, but it still waits for the transactions
 * in flight, so that it is certain which rows are written: those of failed, refused or replaced transactions are not. If a
 * transaction is lost and others wait behind it, signs it again with the same sequence.
 *
 * @param rows - The rows to write, in this order.
 * @param sequence - Sequence of the first transaction.
 */
export async function* sendRows(
  rows: readonly PricedRow[],
  sequence: bigint,
  context: SendContext,
): AsyncGenerator<PushEvent, RoundResult> {
  const { contract, stage, limits, calibrations, inFlightLimit, journal, signal } = context;
  const inFlight: InFlight[] = [];
  const failed: PricedRow[] = [];
  let next = 0;
  let confirmedRows = 0;
  let hasFailed = false;
  let setback: VipError | undefined;
  let refusedSequence: bigint | undefined;
  const watching = new AbortController();
  const watch = (each: InFlight): Promise<Outcome> => {
    const either = signal === undefined ? watching.signal : AbortSignal.any([signal, watching.signal]);
    const outcome = waitForOutcome(contract, each.transaction, { ...context, signal: either });
    const settle = (): void => void (each.isSettled = true);
    outcome.then(settle, settle);
    return outcome;
  };

  try {
    while (inFlight.length > 0 || (setback === undefined && next < rows.length)) {
      for (const each of inFlight.slice(0, maxWatched)) each.outcome ??= watch(each);
      const calibration = calibrations.of(rows[next]?.packed === true);
      // Only one transaction until a receipt has calibrated the gas model.
      const maxInFlight = calibration.isCalibrated ? Math.min(inFlightLimit.limit, limits.maxInFlight ?? Infinity) : 1;
      const hasRoom = inFlight.length < maxInFlight && inFlight[0]?.isSettled !== true;
      if (setback === undefined && next < rows.length && hasRoom) {
        context.signal?.throwIfAborted();
        const batch = takeBatch(rows, next, limits, calibrations);
        const { packed } = batch;
        const call = { kind: "updateScores", stage, rows: batch.rows, packed } as const;
        const sign = () => contract.sign(call, { sequence, gas: batch.gas, signal });
        let transaction: SignedTransaction;
        try {
          transaction = await signAndHandOver(contract, sign, {
            sequence,
            journal,
            rows: batch.rows.length,
            signal,
          });
        } catch (error) {
          if (!(error instanceof BroadcastError)) throw error;
          const reason = error.refusal === "execution" ? await findRefusal(contract, call, { signal }) : undefined;
          if (error.refusal === "too-large" && batch.rows.length > 1) calibration.wasTooLarge(batch.rows.length);
          else setback = reason ?? error;
          if (error.refusal === "sequence") refusedSequence = sequence;
          if (error.refusal === "sequence" || error.refusal === "other") inFlightLimit.refused();
          yield { type: "setback", rows: batch.rows.length, error: reason ?? error };
          continue;
        }
        inFlight.push({ transaction, call, rowsGas: batch.rowsGas, isRefill: false, isSettled: false });
        yield { type: "sent", hash: transaction.hash, sequence, rows: batch.rows.length, gas: batch.gas };
        sequence += 1n;
        next += batch.rows.length;
        continue;
      }
      const oldest = inFlight.shift();
      if (oldest === undefined) break;
      const { rows: batch } = oldest.call;
      const outcome = await (oldest.outcome ?? watch(oldest));
      if (outcome.state === "included" && outcome.succeeded) {
        const { gas: limit } = oldest.transaction;
        calibrations.of(oldest.call.packed).succeeded(limits.baseGas, oldest.rowsGas, { used: outcome.gasUsed, limit });
        inFlightLimit.confirmed();
        confirmedRows += batch.length;
        const { height, gasUsed } = outcome;
        yield { type: "confirmed", hash: oldest.transaction.hash, rows: batch.length, height, gasUsed };
      } else {
        if (outcome.state === "included") hasFailed = true;
        const error = await describeSetback(oldest, outcome, context);
        setback ??= error;
        yield { type: "setback", rows: batch.length, error };
        const refill = inFlight.length > 0 ? await fillGap(oldest, outcome, context) : undefined;
        if (refill === undefined) failed.push(...batch);
        else {
          inFlight.unshift(refill);
          const { hash, sequence: filled, gas } = refill.transaction;
          yield { type: "sent", hash, sequence: filled, rows: batch.length, gas };
        }
      }
    }
  } finally {
    // A caller that stops reading events also stops the waiting.
    watching.abort();
  }
  return { confirmedRows, hasFailed, unwritten: [...failed, ...rows.slice(next)], setback, refusedSequence };
}

/**
 * Signs the call of a lost transaction again with its sequence, once, if that is still the account's next one.
 *
 * @returns undefined if there is no gap, or the node refuses this one too.
 */
async function fillGap(lost: InFlight, outcome: Outcome, context: SendContext): Promise<InFlight | undefined> {
  if (outcome.state !== "dropped" || lost.isRefill) return undefined;
  const { contract, journal, signal } = context;
  const { call, rowsGas } = lost;
  const { sequence, gas } = lost.transaction;
  if ((await contract.getSequence({ signal })) !== sequence) return undefined;
  try {
    const sign = () => contract.sign(call, { sequence, gas, signal });
    const options = { sequence, journal, rows: call.rows.length, signal };
    const transaction = await signAndHandOver(contract, sign, options);
    return { transaction, call, rowsGas, isRefill: true, isSettled: false };
  } catch (error) {
    if (error instanceof BroadcastError) return undefined;
    throw error;
  }
}

async function describeSetback(failed: InFlight, outcome: Outcome, context: SendContext): Promise<VipError> {
  if (outcome.state === "dropped") return replacedTransaction(failed.transaction);
  const { hash, gas } = failed.transaction;
  const calibration = context.calibrations.of(failed.call.packed);
  if (outcome.gasUsed * 100n >= gas * outOfGasPercent) calibration.ranOutOfGas();
  return explainFailure(context.contract, failed.call, { ...outcome, hash }, context);
}
