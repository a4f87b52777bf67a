import { Option, type Command } from "commander";
import {
  planPush,
  VipError,
  type Journal,
  type PushEvent,
  type ScoreContract,
  type ScoreTable,
  type Stage,
  type StageInfo,
} from "@vipscore/core";
import { agreementOf, checkMember, checkNewest, checkOpen, requirePacked, stageNotFound } from "@vipscore/core/engine";
import { InputError } from "@vipscore/core/errors";
import { count, group } from "@vipscore/core/values";
import { checkStageToWrite } from "@vipscore/l1";
import type { Context } from "../../context.ts";
import { connect } from "../../contract/connect.ts";
import { openJournal } from "../../contract/journal.ts";
import type { TableFlags } from "../../contract/readTable.ts";
import { sendPlan } from "../../contract/sendPlan.ts";
import { systemClock, type Clock } from "../../io.ts";
import { findL1Stage } from "../../l1/openL1.ts";
import {
  parsePort,
  stageOption,
  withConnectionOptions,
  withKeyOption,
  withL1Options,
  withTableOptions,
} from "../../options.ts";
import { stackOf } from "../../output/reportError.ts";
import { readSettings, type ConnectionFlags } from "../../settings/readSettings.ts";
import type { WatchMetrics } from "./metrics.ts";
import { outcomeOf, roundJson, roundText, type Outcome, type Round, type RoundProgress } from "./report.ts";
import { findRowOrigin, openRowSource, type RowSource } from "./rows.ts";

interface WatchFlags extends ConnectionFlags, TableFlags {
  readonly stage: Stage;
  /** Time from the start of a round to the start of the next, in milliseconds. */
  readonly interval: number;
  readonly prune?: boolean;
  readonly packed?: boolean;
  readonly journal?: string;
  readonly metricsPort?: number;
  readonly debug?: boolean;
}

export function addWatch(command: Command, context: Context): void {
  withL1Options(withKeyOption(withConnectionOptions(withTableOptions(command))))
    .argument("[words...]")
    .usage("[options] <file>\n       vipscore watch [options] -- <command> [args...]")
    .addOption(stageOption())
    .addOption(
      new Option("--interval <time>", "time between rounds, 1s to 24h, such as 30s, 5m or 1h")
        .argParser(parseInterval)
        .default(60_000, "60s"),
    )
    .option("--prune", "set accounts missing from the rows to 0")
    .option("--packed", "use the cheaper entry point: one event per batch instead of one per score")
    .option("--journal <file>", "file that records each transaction before it is sent")
    .option(
      "--metrics-port <port>",
      "serve Prometheus metrics on this port of 127.0.0.1; 0 picks a free port",
      parsePort("--metrics-port"),
    )
    .addHelpText(
      "after",
      `
Each round reads all rows and does what \`vipscore push\` does. A failed round is reported and retried at the next
interval; if any row is rejected, nothing is written. \`watch\` never finalizes. It exits with status 0 once someone else
has finalized the stage.

Replace the file atomically (write another file, then rename it) so that no round reads half of it. The command runs
without a shell and without vipscore's keys and passwords. Its rows count only if it exits with status 0 within ten
intervals or 10 minutes, whichever is longer.

With --json, prints one object per round, each on one line.

Examples:
  $ vipscore watch scores.csv --stage 12 --interval 5m --prune
  $ vipscore watch --stage 12 --metrics-port 9464 -- ./score.sh --season 3`,
    )
    .action((words: string[], flags: WatchFlags) => watchStage(context, words, flags));
}

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };
/** Ten of these, the time limit of a command, still fit a timer. */
const longestMs = 24 * 3_600_000;

/** Parses an interval such as `30s`, `5m` or `1h`; returns milliseconds. */
function parseInterval(text: string): number {
  const [, digits = "", unit = ""] = /^(\d{1,5})([smh])$/.exec(text) ?? [];
  const milliseconds = Number(digits) * (unitMs[unit] ?? 0);
  if (milliseconds > 0 && milliseconds <= longestMs) return milliseconds;
  throw new InputError(`--interval "${text}" is not a time from 1s to 24h, such as 30s, 5m or 1h`);
}

/** Keeps an open stage up to date with its rows until someone finalizes it. */
async function watchStage(context: Context, words: readonly string[], flags: WatchFlags): Promise<void> {
  const { output, signal } = context;
  const origin = findRowOrigin(context, words);
  const settings = await readSettings(context, flags);
  const source = openRowSource(context, settings.vm, origin, flags);
  const port = flags.metricsPort;
  const metrics = port === undefined ? undefined : await (await import("./metrics.ts")).WatchMetrics.open(output, port);
  try {
    const contract = await connect(context, settings, flags, "required");
    const l1 = await findL1Stage(context, settings);
    if (l1 !== undefined) output.warnAll(checkStageToWrite(l1, flags.stage));
    await checkStageAtStart(contract, flags, signal);
    // Each round opens the journal; if it cannot be opened at all, end the watch before the first round.
    await (await openJournal(context, contract, flags.stage, flags.journal)).close();
    const { stage, prune = false, packed = false, journal: journalFile } = flags;
    await watchOpenStage(context, { contract, stage, source, journalFile, prune, packed, metrics }, flags);
  } finally {
    await metrics?.stop();
  }
}

interface WatchScope {
  readonly contract: ScoreContract;
  readonly stage: Stage;
  readonly source: RowSource;
  readonly journalFile: string | undefined;
  readonly prune: boolean;
  readonly packed: boolean;
  readonly metrics: WatchMetrics | undefined;
}

async function watchOpenStage(context: Context, scope: WatchScope, flags: WatchFlags): Promise<void> {
  const { io, output } = context;
  const { signal, clock = systemClock } = io;
  const { contract, stage, source, metrics } = scope;
  const tally: Record<Outcome, number> = { ok: 0, failed: 0, finalized: 0 };
  await repeatEvery({ intervalMs: flags.interval, clock, signal }, async (number) => {
    const startedAt = clock.now();
    const progress: RoundProgress = { transactions: [], setbacks: 0 };
    const error = await failureOf(watchRound(context, scope, progress), signal);
    const seconds = Math.round(clock.now() - startedAt) / 1000;
    const round: Round = { number, at: new Date(), seconds, progress, error };
    const outcome = outcomeOf(round);
    tally[outcome] += 1;
    metrics?.recordRound(round);
    if (error !== undefined && flags.debug === true) output.note(stackOf(error));
    if (outcome === "ok") output.print(roundText(round, source.name));
    else if (outcome === "failed") output.warn(roundText(round, source.name));
    output.json(roundJson(round, { stage, contract: contract.identity, name: source.name }));
    if (error === undefined) return false;
    const finalized = await findFinalized(contract, stage, signal);
    if (outcome !== "finalized" && finalized === undefined) return false;
    reportEnd(context, scope, finalized, tally);
    return true;
  });
}

/** Returns why a round failed. Throws the signal's reason and bugs in vipscore itself, which end a watch. */
async function failureOf(round: Promise<void>, signal: AbortSignal): Promise<VipError | undefined> {
  try {
    await round;
    return undefined;
  } catch (error) {
    if (signal.aborted || !VipError.isVipError(error)) throw error;
    return error;
  }
}

/** Returns the stage if it is finalized. A round that fails on its rows has not checked this. */
async function findFinalized(
  contract: ScoreContract,
  stage: Stage,
  signal: AbortSignal,
): Promise<StageInfo | undefined> {
  try {
    const info = await contract.getStage(stage, { signal });
    return info?.isFinalized === true ? info : undefined;
  } catch (error) {
    if (signal.aborted || !VipError.isVipError(error)) throw error;
    // The round has reported the node's error, or the next one will.
    return undefined;
  }
}

function reportEnd(
  { output }: Context,
  { contract, stage, source }: WatchScope,
  finalized: StageInfo | undefined,
  { ok, failed }: Record<Outcome, number>,
): void {
  const total = finalized === undefined ? "" : ` with a total of ${group(finalized.total)}`;
  output.print(
    `stage ${stage} is finalized${total}: stopped following ${source.name} after ${count(ok + failed, "round")}, ${group(failed)} failed`,
  );
  output.json({
    command: "watch",
    ended: "finalized",
    stage,
    contract: contract.identity,
    total: finalized?.total,
    rounds: { ok, failed },
  });
}

/** Checks that the signer can write the stage, so that a mistake ends a watch immediately instead of failing in every round. */
async function checkStageAtStart(
  contract: ScoreContract,
  { stage, packed = false }: { readonly stage: Stage; readonly packed?: boolean },
  signal: AbortSignal,
): Promise<void> {
  if (packed) requirePacked(contract);
  const check = async (height: bigint): Promise<void> => {
    const info = await contract.getStage(stage, { height, signal });
    if (info === undefined) throw await stageNotFound(contract, stage, { height, signal });
    checkOpen(info);
    await checkMember(contract, { height, signal });
  };
  await checkNewest(contract, check, { signal });
}

/**
 * Calls `round` with 1, 2, … immediately and then every interval until it returns true. Calls never overlap: the next one
 * immediately follows a call that takes longer than the interval.
 */
export async function repeatEvery(
  { intervalMs, clock, signal }: { readonly intervalMs: number; readonly clock: Clock; readonly signal: AbortSignal },
  round: (number: number) => Promise<boolean>,
): Promise<void> {
  for (let number = 1; ; number += 1) {
    signal.throwIfAborted();
    const startedAt = clock.now();
    if (await round(number)) return;
    const left = startedAt + intervalMs - clock.now();
    if (left > 0) await clock.pause(left, signal);
  }
}

/**
 * Synchronizes the stage with the rows once: reads the rows, plans, pushes the difference and verifies. Reads a stage that
 * already holds the rows only once. Keeps the journal open, and so blocks other commands of the signer, only while it reads
 * and writes the chain: between rounds the stage can be finalized.
 *
 * @param progress Filled in during the round.
 */
async function watchRound(context: Context, scope: WatchScope, progress: RoundProgress): Promise<void> {
  const table = await scope.source.read();
  progress.table = table;
  const journal = await openJournal(context, scope.contract, scope.stage, scope.journalFile);
  try {
    await pushTable(context, scope, table, journal, progress);
  } finally {
    await journal.close();
  }
}

async function pushTable(
  context: Context,
  { contract, stage, prune, packed, metrics }: WatchScope,
  table: ScoreTable,
  journal: Journal,
  progress: RoundProgress,
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
    metrics?.countEvent(event);
    if (event.type === "setback") progress.setbacks += 1;
    if (event.type !== "confirmed") return;
    const { hash, rows, height, gasUsed } = event;
    progress.transactions.push({ hash, rows, height, gasUsed });
  };
  const { verification, otherWrites } = await sendPlan(context, contract, plan, { journal, onEvent });
  progress.verification = verification;
  if (otherWrites > 0n) output.warn(`others wrote to stage ${stage} during this round: ${count(otherWrites, "call")}`);
}
