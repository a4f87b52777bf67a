import { planPush, type Journal, type PushEvent, type ScoreContract, type Stage } from "@vipscore/core";
import type { Context } from "../context.ts";
import { sendPlan } from "../sendPlan.ts";
import { agreementOf } from "./agreementOf.ts";
import type { OpenMetrics } from "./openMetrics.ts";
import type { RoundProgress } from "./round.ts";
import type { RowSource } from "./rowSource.ts";

/** What every round of a watch works with. */
export interface WatchScope {
  readonly contract: ScoreContract;
  readonly stage: Stage;
  readonly source: RowSource;
  readonly journal: Journal;
  readonly prune: boolean;
  readonly metrics: OpenMetrics;
}

/**
 * Brings the stage in step with the rows once: reads the rows, plans, pushes the difference and verifies. A stage that
 * holds the rows already is read once and not written.
 *
 * @param progress Filled on the way.
 * @throws What reading the rows, `planPush` and `push` throw.
 */
export async function watchRound(context: Context, scope: WatchScope, progress: RoundProgress): Promise<void> {
  const { contract, stage, source, journal, prune, metrics } = scope;
  const { output, io } = context;
  const table = await source.read();
  progress.table = table;
  output.showTransient("reading the chain …");
  const plan = await planPush(contract, stage, table, { prune, signal: io.signal, journal });
  progress.plan = plan;
  const agreement = agreementOf(plan);
  if (agreement !== undefined) {
    progress.verification = agreement;
    return;
  }
  const onEvent = (event: PushEvent): void => {
    metrics.countEvent(event);
    if (event.type === "setback") progress.setbacks += 1;
    if (event.type !== "confirmed") return;
    const { hash, rows, height, gasUsed } = event;
    progress.transactions.push({ hash, rows, height, gasUsed });
  };
  progress.verification = (await sendPlan(context, contract, plan, { journal, onEvent })).verification;
}
