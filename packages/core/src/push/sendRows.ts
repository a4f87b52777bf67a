import { BroadcastError, ExecutionError, NodeError, type VipError } from "../errors/vipError.ts";
import { group } from "../numbers.ts";
import type { PricedRow, SignedTransaction, TransactionLimits } from "../scoreContract.ts";
import { Patience, patienceMs, pauses } from "../time/patience.ts";
import { failedTransaction, findRefusal, replacedTransaction } from "./callContract.ts";
import { isFeeLimit } from "./feeBudget.ts";
import { nextBatches, type GasCalibrations } from "./nextBatch.ts";
import type { PushEvent } from "./pushEvent.ts";
import { sendTogether, type BatchCall, type SentBatch, type SigningContext } from "./sendTogether.ts";
import { changeOf, type Change, type StageProgress } from "./stageProgress.ts";
import {
  noReceipt,
  signAndSubmit,
  waitForOutcome,
  type Included,
  type Outcome,
  type Unclear,
  type Written,
} from "./waitForOutcome.ts";

/** A failed transaction that used at least this share of its gas limit ran out of gas. */
const outOfGasPercent = 95n;

export interface SendContext extends SigningContext {
  readonly limits: TransactionLimits;
  readonly calibrations: GasCalibrations;
  readonly progress: StageProgress;
}

/**
 * Transactions that are looked up while others are broadcast, if state does not settle them; the node answers both slowly while it
 * makes a block.
 */
const maxWatched = 4;

/**
 * Sends rows in batches, with many transactions in flight and locally counted sequences, and waits for all of them. Halves and
 * retries a batch that is too large for the node. Any other setback ends the sending, but it still waits for the transactions
 * in flight, so that it is certain which rows are written: those of failed, refused or replaced transactions are not. If a
 * transaction is lost and others wait behind it, signs it again with the same sequence.
 */
export async function* sendRows(
  rows: readonly PricedRow[],
  sequence: bigint,
  context: SendContext,
): AsyncGenerator<PushEvent, RoundResult> {
  const round = new SendRound(rows, sequence, context);
  try {
    for (;;) {
      round.watchOldest();
      if (round.canSend) yield* round.sendNext();
      else if (round.isWaiting) yield* round.settleOldest();
      else return round;
    }
  } finally {
    // A caller that stops reading events also stops the waiting.
    round.stopWatching();
  }
}

interface InFlight extends SentBatch {
  readonly sequence: bigint;
  readonly change: Change;
  /** True if it was signed again to fill the gap of a lost transaction. */
  readonly isRefill: boolean;
  /** Its outcome, once it is watched. */
  outcome?: Promise<Outcome | Written | Unclear>;
  isSettled: boolean;
}

export type RoundResult = Readonly<
  Pick<SendRound, "confirmedRows" | "hasFailed" | "isUnclear" | "refusedSequence" | "setback" | "suspect" | "unwritten">
>;

class SendRound {
  confirmedRows = 0;
  /** True if a transaction failed in a block, which may have cost a fee. */
  hasFailed = false;
  /** True if only a reading of the stage shows which rows are written. */
  isUnclear = false;
  setback: VipError | undefined;
  /** The first batch that failed, or was refused, neither for its gas nor for a reason that state shows. */
  suspect: BatchCall | undefined;
  /** The sequence that the node refused, if that was the setback. */
  refusedSequence: bigint | undefined;
  readonly #context: SendContext;
  readonly #rows: readonly PricedRow[];
  readonly #watching = new AbortController();
  /** True if state did not settle the last transaction whose sequence is used. */
  #needsReceipts = false;
  /** Sent and not settled, by sequence. */
  readonly #inFlight: InFlight[] = [];
  /** Rows of transactions that failed or were replaced. */
  readonly #failed: PricedRow[] = [];
  /** Index of the first row that is not sent yet. */
  #next = 0;
  /** Sequence of the next transaction. */
  #sequence: bigint;
  /** Sequence of a transaction whose connection the endpoint closed. */
  #cutOff: bigint | undefined;
  /** True until a transaction settles, if those in flight can cost all that is left of the maximum fee. */
  #isShort = false;

  constructor(rows: readonly PricedRow[], sequence: bigint, context: SendContext) {
    this.#rows = rows;
    this.#sequence = sequence;
    this.#context = context;
  }

  /** True if there is a batch to send and room for it. */
  get canSend(): boolean {
    if (this.setback !== undefined || this.#next === this.#rows.length || this.#isShort) return false;
    return this.#inFlight.length < this.#maxInFlight && !this.#isOldestSettled;
  }

  /** True if the oldest transaction leaves room without waiting: then all such are settled first, and more are sent at once. */
  get #isOldestSettled(): boolean {
    const [oldest] = this.#inFlight;
    if (oldest === undefined) return false;
    return oldest.isSettled || this.#context.progress.isWritten(oldest.sequence, this.#inFlight);
  }

  get #maxInFlight(): number {
    const { inFlightLimit, limits } = this.#context;
    return Math.min(inFlightLimit.limit, limits.maxInFlight ?? Infinity);
  }

  get isWaiting(): boolean {
    return this.#inFlight.length > 0;
  }

  /** The unconfirmed rows, in the order to write them. */
  get unwritten(): readonly PricedRow[] {
    return [...this.#failed, ...this.#rows.slice(this.#next)];
  }

  /** Looks up the oldest transactions in the background. */
  watchOldest(): void {
    for (const each of this.#inFlight.slice(0, this.#needsReceipts ? maxWatched : 1)) void this.#watch(each);
  }

  stopWatching(): void {
    this.#watching.abort();
  }

  async *sendNext(): AsyncGenerator<PushEvent, void> {
    const { contract, plan, limits, calibrations, inFlightLimit, budget, signal } = this.#context;
    signal?.throwIfAborted();
    const room = this.#maxInFlight - this.#inFlight.length;
    const most = contract.broadcastAll === undefined ? 1 : Math.min(room, inFlightLimit.together);
    const batches = nextBatches(this.#rows, this.#next, { most, limits, calibrations });
    if (batches.length > 1) {
      const { taken, refused, isEmpty } = await sendTogether(batches, this.#sequence, this.#context);
      for (const sent of taken) yield this.#noteSent(sent);
      if (refused !== undefined) yield await this.#noteRefusal(refused.call, refused.error);
      if (!isEmpty) return;
    }
    const [{ rows, packed, rowsGas, gas }] = batches;
    const call: BatchCall = { kind: "updateScores", stage: plan.stage, rows, packed };
    try {
      const transaction = await this.#send(call, { sequence: this.#sequence, gas });
      yield this.#noteSent({ transaction, call, rowsGas });
      inFlightLimit.tookAll(1);
    } catch (error) {
      if (isFeeLimit(error) && (await budget.readOne(contract, { signal }))) return;
      if (isFeeLimit(error) && this.isWaiting) this.#isShort = true;
      else if (error instanceof BroadcastError || isFeeLimit(error)) yield await this.#noteRefusal(call, error);
      else throw error;
    }
  }

  #noteSent({ transaction, call, rowsGas, refusal }: SentBatch): PushEvent {
    if (refusal === undefined) this.#context.inFlightLimit.took(call.rows.length);
    const lost = refusal && { refusal, outcome: Promise.resolve({ state: "dropped" } as const), isSettled: true };
    const sent = { ...flightOf(transaction, call), rowsGas, isRefill: false, ...lost };
    this.#inFlight.push(sent);
    this.#sequence += 1n;
    this.#next += call.rows.length;
    return sentEvent(sent);
  }

  /** Waits until it is certain what became of the oldest transaction. */
  async *settleOldest(): AsyncGenerator<PushEvent, void> {
    const [oldest] = this.#inFlight;
    if (oldest === undefined) return;
    const { call, transaction } = oldest;
    const outcome = await this.#watch(oldest);
    this.#inFlight.shift();
    this.#context.budget.settled(transaction.sequence, outcome, transaction.hash);
    this.#isShort = false;
    if (outcome.state === "written" || (outcome.state === "included" && outcome.succeeded)) {
      yield this.#noteConfirmation(oldest, outcome);
      return;
    }
    if (outcome.state === "included") {
      this.hasFailed = true;
      this.#context.inFlightLimit.failed();
    }
    const error = await this.#describeSetback(oldest, outcome);
    this.setback ??= error;
    yield { type: "setback", rows: call.rows.length, error };
    const refill = await this.#fillGap(oldest, outcome);
    if (refill !== undefined) {
      this.#inFlight.unshift(refill);
      yield sentEvent(refill);
    } else if (outcome.state === "unclear") this.isUnclear = true;
    else this.#failed.push(...call.rows);
  }

  #watch(each: InFlight): Promise<Outcome | Written | Unclear> {
    if (each.outcome === undefined) {
      const { contract, signal } = this.#context;
      const either = signal === undefined ? this.#watching.signal : AbortSignal.any([signal, this.#watching.signal]);
      const look = (hasReceipts: boolean) => this.#look(each, hasReceipts, either);
      each.outcome = waitForOutcome(contract, each.transaction, { ...this.#context, look, signal: either });
      const settle = (): void => void (each.isSettled = true);
      each.outcome.then(settle, settle);
    }
    return each.outcome;
  }

  async #look(
    { sequence, call, isRefill }: InFlight,
    hasReceipts: boolean,
    signal: AbortSignal,
  ): Promise<Written | Unclear | "waits" | "unclear"> {
    const { progress, calibrations } = this.#context;
    const shown = await progress.look(sequence, this.#inFlight, { signal });
    this.#needsReceipts = shown === "unclear";
    if (!hasReceipts) return shown === "unclear" ? { state: "unclear" } : shown;
    // The first receipt of each kind calibrates the gas model. A refill and the transaction that it replaces write the same.
    const rows: readonly PricedRow[] = call.rows;
    const isEnough = !isRefill && rows.every((row) => calibrations.of(call.packed).isCalibrated(row));
    return typeof shown === "string" || isEnough ? shown : "unclear";
  }

  #send(call: BatchCall, { sequence, gas }: Pick<SignedTransaction, "sequence" | "gas">): Promise<SignedTransaction> {
    const { contract, journal, own, budget, signal } = this.#context;
    const sign = () => contract.sign(call, { sequence, gas, maxFee: budget.leftFor(sequence), signal });
    const onSigned = (transaction: SignedTransaction): void => {
      budget.signed(transaction);
      own.sent(transaction.hash);
    };
    return signAndSubmit(contract, sign, { sequence, journal, rows: call.rows.length, signal, onSigned });
  }

  async #noteRefusal(call: BatchCall, refused: VipError): Promise<PushEvent> {
    const { contract, calibrations, inFlightLimit, budget, signal } = this.#context;
    const refusal = refused instanceof BroadcastError ? refused.refusal : undefined;
    const rows = call.rows.length;
    budget.settled(this.#sequence, { state: "dropped" });
    const reason = refusal === "execution" ? await findRefusal(contract, call, { signal }) : undefined;
    if (refusal === "execution" && reason === undefined) this.suspect ??= call;
    const error = reason ?? refused;
    if (refusal === "too-large" && rows > 1) calibrations.of(call.packed).wasTooLarge(rows);
    else this.setback = error;
    if (refusal === "sequence") this.refusedSequence = this.#sequence;
    // That of a larger one which arrived after all: its rows are written.
    this.isUnclear ||= refusal === "sequence" && this.#cutOff === this.#sequence;
    if (refused.cause instanceof NodeError && refused.cause.code === "NODE_UNREACHABLE") this.#cutOff = this.#sequence;
    if (refusal === "sequence" || refusal === "other") inFlightLimit.failed();
    return { type: "setback", rows, error };
  }

  #noteConfirmation({ transaction, call, change, rowsGas }: InFlight, outcome: Included | Written): PushEvent {
    const { calibrations, inFlightLimit, limits, own, progress } = this.#context;
    const { hash, gas: limit } = transaction;
    const { height } = outcome;
    const gasUsed = outcome.state === "included" ? outcome.gasUsed : undefined;
    own.confirmed(transaction, outcome);
    progress.confirmed(change);
    const rows = call.rows.length;
    const calibration = calibrations.of(call.packed);
    if (gasUsed === undefined) calibration.succeededByModel(rowsGas);
    else calibration.succeeded(limits.baseGas, rowsGas, { used: gasUsed, limit });
    inFlightLimit.confirmed();
    this.confirmedRows += rows;
    return { type: "confirmed", hash, rows, height, gasUsed };
  }

  /**
   * Signs the call of a lost transaction again with its sequence, once, if others wait behind it and that is still the
   * account's next one.
   *
   * @returns undefined if there is no gap, or the node refuses this one, too, for 30 seconds.
   */
  async #fillGap(lost: InFlight, outcome: Outcome | Unclear): Promise<InFlight | undefined> {
    if (!this.isWaiting || outcome.state !== "dropped" || lost.isRefill) return undefined;
    const { contract, signal } = this.#context;
    const { transaction, call, rowsGas } = lost;
    const patience = new Patience({ forMs: patienceMs.outage, ...pauses.round });
    while ((await contract.getSequence({ signal })) === transaction.sequence) {
      try {
        return { ...flightOf(await this.#send(call, transaction), call), rowsGas, isRefill: true };
      } catch (error) {
        if (isFeeLimit(error)) return undefined;
        if (!(error instanceof BroadcastError)) throw error;
        if (!(await patience.pause(signal))) return undefined;
      }
    }
    return undefined;
  }

  async #describeSetback(sent: InFlight, outcome: Outcome | Unclear): Promise<VipError> {
    const { transaction, call, rowsGas, refusal } = sent;
    if (refusal !== undefined) return refusal;
    if (outcome.state === "dropped") return replacedTransaction(transaction);
    const { contract, limits, calibrations, signal } = this.#context;
    if (outcome.state === "unclear") return (await findRefusal(contract, call, { signal })) ?? noReceipt(transaction);
    const { hash, gas } = transaction;
    const error = await failedTransaction(contract, call, { ...outcome, hash }, { signal });
    if (outcome.gasUsed * 100n < gas * outOfGasPercent) {
      this.suspect ??= call;
      return error;
    }
    calibrations.of(call.packed).ranOutOfGas(limits.baseGas, rowsGas, gas);
    // Its state shows another reason, such as a finalized stage.
    if (error.code !== "TRANSACTION_FAILED") return error;
    return new ExecutionError(`transaction ${hash} ran out of its ${group(gas)} gas`, {
      code: error.code,
      txHash: hash,
      metaMessages: ["Its rows are sent again with more gas."],
    });
  }
}

function flightOf(transaction: SignedTransaction, call: BatchCall) {
  return { transaction, sequence: transaction.sequence, call, change: changeOf(call.rows), isSettled: false };
}

function sentEvent({ transaction, call }: Pick<InFlight, "transaction" | "call">): PushEvent {
  const { hash, sequence, gas } = transaction;
  return { type: "sent", hash, sequence, rows: call.rows.length, gas };
}
