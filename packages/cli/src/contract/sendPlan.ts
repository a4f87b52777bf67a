import {
  push,
  VipError,
  type Journal,
  type PushEvent,
  type PushPlan,
  type ScoreContract,
  type Verification,
} from "@vipscore/core";
import { count, formatGas, group } from "@vipscore/core/values";
import type { Context } from "../context.ts";
import type { Output } from "../output/output.ts";

/** Time that a person takes to read and confirm a transaction on a device, in seconds. */
const secondsPerSignature = 10;

export interface SentTransaction {
  readonly hash: string;
  readonly rows: number;
  readonly height: bigint;
  /** Null if the stage's state, not a receipt, showed that it succeeded. */
  readonly gasUsed: bigint | null;
}

export function sentTransaction({
  hash,
  rows,
  height,
  gasUsed,
}: Extract<PushEvent, { type: "confirmed" }>): SentTransaction {
  return { hash, rows, height, gasUsed: gasUsed ?? null };
}

/** `700 rows in 3 transactions`. */
export function sentText(transactions: readonly SentTransaction[]): string {
  const rows = transactions.reduce((sum, each) => sum + each.rows, 0);
  return `${count(rows, "row")} in ${count(transactions.length, "transaction")}`;
}

export interface SendPlanOptions {
  readonly journal: Journal;
  readonly onDevice?: boolean;
  /** Called with every event, before its effect is shown. */
  readonly onEvent?: (event: PushEvent) => void;
}

/** Writes a plan to the chain, shows its progress, and verifies the stage. `otherWrites` are calls of others meanwhile. */
export async function sendPlan(
  { output, io, unsent }: Context,
  contract: ScoreContract,
  plan: PushPlan,
  { journal, onDevice = false, onEvent }: SendPlanOptions,
): Promise<{ transactions: readonly SentTransaction[]; verification: Verification; otherWrites: bigint }> {
  unsent(false);
  if (onDevice && plan.batches.length > 1) output.warn(signaturesText(plan.batches.length));
  const progress = new PushProgress(output, plan);
  const transactions: SentTransaction[] = [];
  try {
    for await (const event of push(contract, plan, { signal: io.signal, journal })) {
      onEvent?.(event);
      progress.show(event);
      if (event.type === "confirmed") transactions.push(sentTransaction(event));
      if (event.type === "verified") {
        const { verification, otherWrites } = event;
        return { transactions, verification, otherWrites };
      }
    }
  } catch (error) {
    const [done, all] = [progress.rowsDone, plan.rows.length];
    if (io.signal.aborted) throw interrupted(done, all);
    const isPaused = VipError.isVipError(error) && error.code === "FEE_LIMIT" && done > 0;
    if (isPaused) output.note(`paused: ${group(done)} of ${group(all)} rows are in blocks`);
    throw error;
  } finally {
    progress.stop();
  }
  throw new Error("a push ends with a verification or an error");
}

/** Says how long a person will sign, and where a device fits better. */
function signaturesText(batches: number): string {
  const minutes = Math.ceil((batches * secondsPerSignature) / 60);
  return `${count(batches, "signature")} on the device, about ${count(minutes, "minute")}. A device fits the finalizer better: push with a member's key, and name the device with vipscore members finalizer <address>`;
}

function interrupted(done: number, all: number): VipError {
  return new VipError(`interrupted: ${group(done)} of ${group(all)} rows are known to be in blocks`, {
    code: "INTERRUPTED",
    metaMessages: ["Run the same command again to continue: it reads the chain and sends only what is missing."],
  });
}

const barWidth = 24;
const redrawMs = 80;
/** Time between redraws without an event, in milliseconds; events may be a block's time apart. */
const tickMs = 500;

/** Shows the progress of a push: one redrawn line on a terminal, else one line for each batch. */
export class PushProgress {
  readonly #output: Output;
  readonly #startedAt = performance.now();
  #rowsToWrite: number;
  #batchesPlanned: number;
  #rowsDone = 0;
  #batchesSent = 0;
  #batchesDone = 0;
  #drawnAt = Number.NEGATIVE_INFINITY;
  readonly #ticking: NodeJS.Timeout;

  constructor(output: Output, plan: PushPlan) {
    this.#output = output;
    this.#rowsToWrite = plan.rows.length;
    this.#batchesPlanned = plan.batches.length;
    this.#ticking = setInterval(() => this.#draw(), tickMs);
  }

  stop(): void {
    clearInterval(this.#ticking);
  }

  /** Rows that are in blocks. */
  get rowsDone(): number {
    return this.#rowsDone;
  }

  show(event: PushEvent): void {
    if (event.type === "sent") {
      this.#batchesSent += 1;
    } else if (event.type === "confirmed") {
      this.#rowsDone += event.rows;
      this.#batchesDone += 1;
      if (!this.#output.isTerminal) {
        const rows = `${group(this.#rowsDone)}/${group(this.#rowsToWrite)} rows`;
        const gas = event.gasUsed === undefined ? "" : `gas ${formatGas(event.gasUsed)}  `;
        this.#output.note(
          `batch ${this.#batchesDone} of ${this.#batchCount()}  ${rows}  block ${group(event.height)}  ${gas}${event.hash}`,
        );
      }
    } else if (event.type === "setback") {
      this.#output.warn(`a batch of ${group(event.rows)} rows did not go through: ${event.error.shortMessage}`);
    } else if (event.type === "replanned") {
      this.#output.note(
        `planned again from the chain at height ${group(event.plan.height)}: ${group(event.plan.rows.length)} rows left`,
      );
      this.#rowsToWrite = this.#rowsDone + event.plan.rows.length;
      this.#batchesSent = this.#batchesDone;
      this.#batchesPlanned = this.#batchesDone + event.plan.batches.length;
    }
    this.#draw();
  }

  #draw(): void {
    const now = performance.now();
    if (!this.#output.isTerminal || now - this.#drawnAt < redrawMs) return;
    this.#drawnAt = now;
    this.#output.showTransient(...this.#forms((now - this.#startedAt) / 1000));
  }

  /** Returns the line, and shorter forms of it without what matters less. */
  #forms(seconds: number): readonly [string, ...string[]] {
    if (this.#rowsDone === this.#rowsToWrite) return ["verifying …"];
    const share = Math.min(1, this.#rowsDone / this.#rowsToWrite);
    const full = Math.floor(share * barWidth);
    const rate = seconds > 0 ? this.#rowsDone / seconds : 0;
    const left =
      rate > 0
        ? `   ${group(Math.round(rate))}/s   ${group(Math.ceil((this.#rowsToWrite - this.#rowsDone) / rate))} s left`
        : "";
    const bar = `${"█".repeat(full)}${"░".repeat(barWidth - full)}  `;
    const rows = `${group(this.#rowsDone)}/${group(this.#rowsToWrite)}`;
    const batches = `   ${group(this.#batchesDone)} of ${group(this.#batchCount())} batches`;
    const inFlight = `   ${group(this.#batchesSent - this.#batchesDone)} in flight`;
    return [
      `sending   ${bar}${rows}${batches}${inFlight}${left}`,
      `sending   ${bar}${rows}${left}${batches}`,
      `sending   ${bar}${rows}${left}`,
      `sending   ${rows}${left}`,
    ];
  }

  /** The plan's number of batches, until the real one is known: receipts change the size of later ones. */
  #batchCount(): number {
    return this.#rowsDone === this.#rowsToWrite ? this.#batchesDone : Math.max(this.#batchesPlanned, this.#batchesSent);
  }
}
