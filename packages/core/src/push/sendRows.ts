import { BroadcastError, ExecutionError, type VipError } from "../errors/vipError.ts";
import { group } from "../numbers.ts";
import type { ContractCall, PricedRow, ScoreContract, SignedTransaction, TransactionLimits } from "../scoreContract.ts";
import { failedTransaction, findRefusal, replacedTransaction } from "./callContract.ts";
import { isFeeLimit, type FeeBudget } from "./feeBudget.ts";
import type { Journal } from "./journal.ts";
import { nextBatch, type GasCalibrations, type RowsGas } from "./nextBatch.ts";
import type { OwnWrites } from "./ownWrites.ts";
import type { PushPlan } from "./planPush.ts";
import { changeOf, type Change, type StageProgress } from "./stageProgress.ts";
import type { Verification } from "./verificationError.ts";
import {
  noReceipt,
  signAndSubmit,
  waitForOutcome,
  type Included,
  type Outcome,
  type Unclear,
  type WaitOptions,
  type Written,
} from "./waitForOutcome.ts";

/** A failed transaction that used at least this share of its gas limit ran out of gas. */
const outOfGasPercent = 95n;

export interface SendContext extends WaitOptions {
  readonly contract: ScoreContract;
  readonly plan: PushPlan;
  readonly limits: TransactionLimits;
  readonly calibrations: GasCalibrations;
  readonly inFlightLimit: InFlightLimit;
  readonly budget: FeeBudget;
  readonly journal: Journal | undefined;
  readonly own: OwnWrites;
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
 *
 * @param rows - The rows to write, in this order.
 * @param sequence - Sequence of the first transaction.
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

/** The call that writes a batch. */
export type BatchCall = ContractCall & { kind: "updateScores"; rows: readonly PricedRow[]; packed: boolean };

interface InFlight {
  readonly transaction: SignedTransaction;
  readonly sequence: bigint;
  readonly call: BatchCall;
  readonly change: Change;
  readonly rowsGas: RowsGas;
  /** True if it was signed again to fill the gap of a lost transaction. */
  readonly isRefill: boolean;
  /** Its outcome, once it is watched. */
  outcome?: Promise<Outcome | Written | Unclear>;
  isSettled: boolean;
}

export type RoundResult = Readonly<
  Pick<SendRound, "confirmedRows" | "hasFailed" | "isUnclear" | "refusedSequence" | "setback" | "suspect" | "unwritten">
>;

/** The state of {@link sendRows}. */
class SendRound {
  confirmedRows = 0;
  /** True if a transaction failed in a block, which may have cost a fee. */
  hasFailed = false;
  /** True if only a reading of the stage shows which rows are written. */
  isUnclear = false;
  /** The first setback. */
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
  /** True until a transaction settles, if those in flight can cost all that is left of the maximum fee. */
  #isShort = false;

  constructor(rows: readonly PricedRow[], sequence: bigint, context: SendContext) {
    this.#rows = rows;
    this.#sequence = sequence;
    this.#context = context;
  }

  /** True if there is a batch to send and room for it. */
  get canSend(): boolean {
    const { calibrations, inFlightLimit, limits } = this.#context;
    const row = this.#rows[this.#next];
    if (this.setback !== undefined || row === undefined || this.#isShort) return false;
    // Only one transaction until a receipt has calibrated the gas model of the next row.
    const isCalibrated = calibrations.of(row.packed).isCalibrated(row);
    const maxInFlight = isCalibrated ? Math.min(inFlightLimit.limit, limits.maxInFlight ?? Infinity) : 1;
    return this.#inFlight.length < maxInFlight && this.#inFlight[0]?.isSettled !== true;
  }

  /** True while transactions are in flight. */
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

  /** Signs the next batch and hands it to the node. */
  async *sendNext(): AsyncGenerator<PushEvent, void> {
    const { contract, plan, limits, calibrations, budget, signal } = this.#context;
    signal?.throwIfAborted();
    const { rows, packed, rowsGas, gas } = nextBatch(this.#rows, this.#next, limits, calibrations);
    const call = { kind: "updateScores", stage: plan.stage, rows, packed } as const;
    try {
      const transaction = await this.#send(call, { sequence: this.#sequence, gas });
      const sent = { ...flightOf(transaction, call), rowsGas, isRefill: false };
      this.#inFlight.push(sent);
      this.#sequence += 1n;
      this.#next += rows.length;
      yield sentEvent(sent);
    } catch (error) {
      if (isFeeLimit(error) && (await budget.readOne(contract, { signal }))) return;
      if (isFeeLimit(error) && this.isWaiting) this.#isShort = true;
      else if (error instanceof BroadcastError || isFeeLimit(error)) yield await this.#noteRefusal(call, error);
      else throw error;
    }
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
    if (outcome.state === "included") this.hasFailed = true;
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
    if (refusal === "sequence" || refusal === "other") inFlightLimit.refused();
    return { type: "setback", rows, error };
  }

  #noteConfirmation({ transaction, call, change, rowsGas }: InFlight, outcome: Included | Written): PushEvent {
    const { calibrations, inFlightLimit, limits, own, progress } = this.#context;
    const { hash, gas: limit } = transaction;
    const { height } = outcome;
    const gasUsed = outcome.state === "included" ? outcome.gasUsed : undefined;
    own.confirmed(hash, outcome);
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
   * @returns undefined if there is no gap, or the node refuses this one too.
   */
  async #fillGap(lost: InFlight, outcome: Outcome | Unclear): Promise<InFlight | undefined> {
    if (!this.isWaiting || outcome.state !== "dropped" || lost.isRefill) return undefined;
    const { contract, signal } = this.#context;
    const { transaction, call, rowsGas } = lost;
    if ((await contract.getSequence({ signal })) !== transaction.sequence) return undefined;
    try {
      return { ...flightOf(await this.#send(call, transaction), call), rowsGas, isRefill: true };
    } catch (error) {
      if (error instanceof BroadcastError || isFeeLimit(error)) return undefined;
      throw error;
    }
  }

  async #describeSetback({ transaction, call, rowsGas }: InFlight, outcome: Outcome | Unclear): Promise<VipError> {
    if (outcome.state === "dropped") return replacedTransaction(transaction);
    const { contract, calibrations, signal } = this.#context;
    if (outcome.state === "unclear") return (await findRefusal(contract, call, { signal })) ?? noReceipt(transaction);
    const { hash, gas } = transaction;
    const error = await failedTransaction(contract, call, { ...outcome, hash }, { signal });
    if (outcome.gasUsed * 100n < gas * outOfGasPercent) {
      this.suspect ??= call;
      return error;
    }
    calibrations.of(call.packed).ranOutOfGas(rowsGas);
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

/** Initial limit: enough that blocks need not wait for signatures. */
const initialLimit = 8;
/** Half of the 64 transactions of an account that a mempool of initia v1.4 queues (`abcipp.max-queued-per-sender`). */
const maxLimit = 32;

/**
 * The maximum number of transactions in flight: rises by one with each confirmation, and halves when the node refuses a
 * transaction that is valid itself.
 */
export class InFlightLimit {
  #limit = initialLimit;

  get limit(): number {
    return this.#limit;
  }

  confirmed(): void {
    this.#limit = Math.min(maxLimit, this.#limit + 1);
  }

  refused(): void {
    this.#limit = Math.max(1, Math.floor(this.#limit / 2));
  }
}

/** An event of a running push. */
export type PushEvent =
  | {
      /** A batch was handed to the node. */
      readonly type: "sent";
      readonly hash: string;
      readonly sequence: bigint;
      readonly rows: number;
      /** Its gas limit. */
      readonly gas: bigint;
    }
  | {
      /** A batch is in a block and succeeded. */
      readonly type: "confirmed";
      readonly hash: string;
      readonly rows: number;
      /** The height of its block; without `gasUsed` that of the state that shows its rows, in its block or a later one. */
      readonly height: bigint;
      /** Undefined if the stage's state, not a receipt, showed that it succeeded. */
      readonly gasUsed: bigint | undefined;
    }
  | {
      /** A batch did not go through; its rows are written later. */
      readonly type: "setback";
      readonly rows: number;
      readonly error: VipError;
    }
  | {
      /** After setbacks the verification found a difference, which is written next. */
      readonly type: "replanned";
      readonly plan: PushPlan;
    }
  | {
      readonly type: "verified";
      readonly verification: Verification;
      /**
       * Calls of others that wrote to the stage after the plan was read and up to the verified height; 0 for a contract without
       * revisions. Such a writer may write again.
       */
      readonly otherWrites: bigint;
    };
