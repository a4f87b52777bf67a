import {
  planPush,
  type Journal,
  type PushEvent,
  type PushPlan,
  type ScoreContract,
  type ScoreTable,
  type Stage,
  type Verification,
} from "@vipscore/core";
import { count } from "@vipscore/core/values";
import type { Context } from "../../context.ts";
import { openJournal } from "../../contract/journal.ts";
import { sendPlan } from "../../contract/sendPlan.ts";
import type { OpenMetrics } from "./openMetrics.ts";
import type { RoundProgress } from "./round.ts";
import type { RowSource } from "./rowSource.ts";

/** The scope of a watch, shared by all rounds. */
export interface WatchScope {
  readonly contract: ScoreContract;
  readonly stage: Stage;
  readonly source: RowSource;
  /** The journal's path as given; undefined for the default one. */
  readonly journalFile: string | undefined;
  readonly prune: boolean;
  readonly packed: boolean;
  readonly metrics: OpenMetrics;
}

/**
 * Synchronizes the stage with the rows once: reads the rows, plans, pushes the difference and verifies. Reads a stage that
 * already holds the rows only once. Keeps the journal open, and so blocks other commands of the signer, only while it reads
 * and writes the chain: between rounds the stage can be finalized.
 *
 * @param progress Filled in during the round.
 * @throws errors of reading the rows, `openJournal`, `planPush` and `push`.
 */
export async function watchRound(context: Context, scope: WatchScope, progress: RoundProgress): Promise<void> {
  const table = await scope.source.read();
  progress.table = table;
  const journal = await openJournal(context, scope.contract, scope.stage, scope.journalFile);
  try {
    await pushTable(context, scope, { table, journal, progress });
  } finally {
    await journal.close();
  }
}

interface TablePush {
  readonly table: ScoreTable;
  readonly journal: Journal;
  readonly progress: RoundProgress;
}

async function pushTable(
  context: Context,
  { contract, stage, prune, packed, metrics }: WatchScope,
  { table, journal, progress }: TablePush,
): Promise<void> {
  const { output, io } = context;
  output.showTransient("reading the chain …");
  const plan = await planPush(contract, stage, table, { prune, packed, signal: io.signal, journal });
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
  const { verification, otherWrites } = await sendPlan(context, contract, plan, { journal, onEvent });
  progress.verification = verification;
  if (otherWrites > 0n) output.warn(`others wrote to stage ${stage} during this round: ${count(otherWrites, "call")}`);
}

/**
 * Returns a verification from the plan's own reading of the stage, if the stage holds exactly the table; else undefined. A
 * plan compares every row, so if there is nothing to write and nothing extra, only the contract's total is left to check.
 */
function agreementOf({ stage, table, counts, rows, chain, height }: PushPlan): Verification | undefined {
  if (rows.length > 0 || counts.extra > 0 || chain.total !== table.total) return undefined;
  const digest = table.digest();
  return {
    stage,
    height,
    agrees: true,
    isFinalized: false,
    accounts: chain.accounts,
    revision: chain.revision,
    total: { expected: table.total, contract: chain.total, rows: table.total },
    digest: { expected: digest, actual: digest },
    differences: [],
  };
}
