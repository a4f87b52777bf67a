import {
  push,
  VipError,
  type Journal,
  type PushEvent,
  type PushPlan,
  type ScoreContract,
  type Verification,
} from "@vipscore/core";
import type { Context } from "./context.ts";
import { group } from "./output/numbers.ts";
import { PushProgress } from "./output/pushProgress.ts";

/** A confirmed transaction. */
export interface SentTransaction {
  readonly hash: string;
  readonly rows: number;
  readonly height: bigint;
  readonly gasUsed: bigint;
}

export interface SendPlanOptions {
  /** The journal that the plan was made with. */
  readonly journal: Journal;
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
  { journal, onEvent }: SendPlanOptions,
): Promise<{ readonly transactions: readonly SentTransaction[]; readonly verification: Verification }> {
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
      if (event.type === "verified") return { transactions, verification: event.verification };
    }
  } catch (error) {
    throw io.signal.aborted ? interrupted(progress.rowsDone, plan.rows.length) : error;
  } finally {
    progress.stop();
  }
  throw new Error("a push ends with a verification or an error");
}

function interrupted(done: number, all: number): VipError {
  return new VipError(`interrupted: ${group(done)} of ${group(all)} rows are known to be in blocks`, {
    code: "INTERRUPTED",
    metaMessages: ["Run the same command again to continue: it reads the chain and sends only what is missing."],
  });
}
