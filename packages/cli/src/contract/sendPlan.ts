import {
  push,
  VipError,
  type Journal,
  type PushEvent,
  type PushPlan,
  type ScoreContract,
  type Verification,
} from "@vipscore/core";
import { count, group } from "@vipscore/core/values";
import type { Context } from "../context.ts";
import { PushProgress } from "../output/pushProgress.ts";

/** Time that a person takes to read and confirm a transaction on a device, in seconds. */
const secondsPerSignature = 10;

/** A confirmed transaction. */
export interface SentTransaction {
  readonly hash: string;
  readonly rows: number;
  readonly height: bigint;
  readonly gasUsed: bigint;
}

/** A plan that was written, and the verified stage. */
export interface SentPlan {
  readonly transactions: readonly SentTransaction[];
  readonly verification: Verification;
  /** Calls of others that wrote to the stage meanwhile. */
  readonly otherWrites: bigint;
}

export interface SendPlanOptions {
  /** The journal that the plan was made with. */
  readonly journal: Journal;
  /** True if a person signs each transaction on a device. Default: false. */
  readonly onDevice?: boolean;
  /** Called with every event, before its effect is shown. */
  readonly onEvent?: (event: PushEvent) => void;
}

/**
 * Writes a plan to the chain, shows its progress, and verifies the stage.
 *
 * @throws VipError `INTERRUPTED` when the signal ended it; otherwise as `push` of core.
 */
export async function sendPlan(
  { output, io }: Context,
  contract: ScoreContract,
  plan: PushPlan,
  { journal, onDevice = false, onEvent }: SendPlanOptions,
): Promise<SentPlan> {
  if (onDevice && plan.batches.length > 1) output.warn(signaturesText(plan.batches.length));
  const progress = new PushProgress(output, plan);
  const transactions: SentTransaction[] = [];
  try {
    for await (const event of push(contract, plan, { signal: io.signal, journal })) {
      onEvent?.(event);
      progress.show(event);
      if (event.type === "confirmed") {
        const { hash, rows, height, gasUsed } = event;
        transactions.push({ hash, rows, height, gasUsed });
      }
      if (event.type === "verified") {
        const { verification, otherWrites } = event;
        return { transactions, verification, otherWrites };
      }
    }
  } catch (error) {
    throw io.signal.aborted ? interrupted(progress.rowsDone, plan.rows.length) : error;
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
