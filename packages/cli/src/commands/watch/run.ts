import { Option, type Command } from "commander";
import {
  listLastStages,
  planPush,
  stage as toStage,
  VipError,
  type Journal,
  type PushEvent,
  type ScoreContract,
  type ScoreTable,
  type Stage,
  type StageInfo,
} from "@vipscore/core";
import { agreementOf, checkMember, checkNewest, checkOpen, requirePacked, stageNotFound } from "@vipscore/core/engine";
import { InputError, systemErrorCode } from "@vipscore/core/errors";
import { count, group } from "@vipscore/core/values";
import { checkStageToWrite, readVipStage, type VipStage } from "@vipscore/l1";
import type { Context } from "../../context.ts";
import { connect } from "../../contract/connect.ts";
import { openJournal } from "../../contract/journal.ts";
import { rowReader, type TableFlags } from "../../contract/readTable.ts";
import { sendPlan, sentTransaction } from "../../contract/sendPlan.ts";
import { systemClock } from "../../io.ts";
import { checkStageOnL1, findL1Stage } from "../../l1/openL1.ts";
import { parseStage, withConnectionOptions, withKeyOption, withL1Options, withTableOptions } from "../../options.ts";
import { stackOf } from "../../output/reportError.ts";
import { intervalOption, isTerminated, repeatEvery, withMetricsOptions, type RoundFlags } from "../../rounds.ts";
import { readSettings, vipOptions, type ConnectionFlags, type Settings } from "../../settings/readSettings.ts";
import type { WatchMetrics } from "./metrics.ts";
import { outcomeOf, roundJson, roundText, type Outcome, type Round, type RoundProgress } from "./report.ts";

interface WatchFlags extends ConnectionFlags, RoundFlags, TableFlags {
  readonly stage: Stage | "auto";
  readonly prune?: boolean;
  readonly packed?: boolean;
  readonly journal?: string;
  readonly debug?: boolean;
}

/** What stands for the stage in the file's name. */
const stagePlace = "{stage}";

export function addWatch(command: Command, context: Context): void {
  withL1Options(withKeyOption(withConnectionOptions(withTableOptions(command))))
    .argument("<file>", "CSV or JSON with an address and a score per row")
    .addOption(
      new Option("--stage <n>", "stage number, or auto: the open stage, then each next one")
        .argParser((text) => (text === "auto" ? text : parseStage(text)))
        .makeOptionMandatory(),
    )
    .addOption(intervalOption())
    .option("--prune", "set accounts missing from the rows to 0")
    .option("--packed", "use the cheaper entry point: one event per batch instead of one per score")
    .option("--journal <file>", "file that records each transaction before it is sent");
  withMetricsOptions(command)
    .addHelpText(
      "after",
      `
Each round reads the file and does what \`vipscore push\` does. A failed round is reported and retried at the next
interval; if any row is rejected, nothing is written. \`watch\` never finalizes. It exits with status 0 once someone else
has finalized the stage, or on SIGTERM; with --stage auto it goes on to the next stage.

{stage} in the file's name stands for the stage. --stage auto needs it, so that the rows of one stage are never written to
the next.

Replace the file atomically so that no round reads half of it: ./score > scores.new && mv scores.new scores.csv

With --json, prints one object per round, each on one line.

Examples:
  $ vipscore watch scores.csv --stage 12 --interval 5m --prune
  $ vipscore watch scores{stage}.csv --stage auto --metrics-port 9464`,
    )
    .action((file: string, flags: WatchFlags) => watchStages(context, file, flags));
}

/** Keeps the stage up to date with its rows until someone finalizes it; with `auto`, then the next ones until SIGTERM. */
async function watchStages(context: Context, fileOfStage: string, flags: WatchFlags): Promise<void> {
  const { io, output, signal } = context;
  const isAuto = flags.stage === "auto";
  if (isAuto && !fileOfStage.includes(stagePlace)) throw withoutPlace();
  const settings = await readSettings(context, flags);
  const { metricsPort: port, metricsHost: host, journal: journalFile, prune = false, packed = false } = flags;
  const metrics =
    port === undefined ? undefined : await (await import("./metrics.ts")).WatchMetrics.open(output, { host, port });
  const ended: { stage?: Stage } = {};
  try {
    const contract = await connect(context, settings, flags, "required");
    const first = flags.stage === "auto" ? await findOpenStage(contract, signal) : flags.stage;
    const l1 = await (isAuto ? findL1Stage(context, settings) : checkStageOnL1(context, settings, contract, first));
    await checkStageAtStart(contract, { stage: first, packed }, signal);
    // Each round opens the journal; if it cannot be opened at all, end the watch before the first round.
    await (await openJournal(context, contract, first, journalFile)).close();
    const readL1 = followL1(settings, l1, signal);
    for (let stage: Stage | undefined = first; stage !== undefined; stage = isAuto ? toStage(stage + 1n) : undefined) {
      ended.stage = stage;
      metrics?.follow(stage, contract.identity);
      const file = fileOfStage.replaceAll(stagePlace, `${stage}`);
      const readRows = rowReader(context, settings.vm, file, flags);
      const scope = { contract, stage, file, readRows, journalFile, prune, packed, metrics, readL1 };
      await watchOpenStage(context, scope, flags);
    }
  } catch (error) {
    if (!isTerminated(io.signal)) throw error;
    output.print("stopped by SIGTERM; the next run settles what was sent and goes on");
    output.json({ command: "watch", ended: "stopped", stage: ended.stage });
  } finally {
    await metrics?.stop();
  }
}

function withoutPlace(): InputError {
  return new InputError(`--stage auto needs ${stagePlace} in the file's name`, {
    metaMessages: [`vipscore watch scores${stagePlace}.csv --stage auto`],
  });
}

const stagesExamined = 5;

async function findOpenStage(contract: ScoreContract, signal: AbortSignal): Promise<Stage> {
  const first = await contract.getInitStage({ signal });
  const stages = await listLastStages(contract, { first, limit: stagesExamined, signal });
  return stages.find(({ isFinalized }) => !isFinalized)?.stage ?? first;
}

/** Returns a function that reads L1's stage again, and the last one that was read while L1 is silent; undefined without L1. */
function followL1(
  { l1 }: Settings,
  atStart: VipStage | undefined,
  signal: AbortSignal,
): () => Promise<VipStage | undefined> {
  let last = atStart;
  return async () => {
    if (l1 === undefined) return undefined;
    last = await readVipStage(vipOptions(l1, signal)).catch((error: unknown) => {
      if (signal.aborted || !VipError.isVipError(error)) throw error;
      return last;
    });
    return last;
  };
}

interface WatchScope {
  readonly contract: ScoreContract;
  readonly stage: Stage;
  readonly file: string;
  readonly readRows: () => Promise<ScoreTable>;
  readonly journalFile: string | undefined;
  readonly prune: boolean;
  readonly packed: boolean;
  readonly metrics: WatchMetrics | undefined;
  readonly readL1: () => Promise<VipStage | undefined>;
}

async function watchOpenStage(context: Context, scope: WatchScope, flags: WatchFlags): Promise<void> {
  const { io, output } = context;
  const { signal, clock = systemClock } = io;
  const { contract, stage, file, metrics } = scope;
  const tally: Record<Outcome, number> = { ok: 0, waiting: 0, failed: 0, finalized: 0 };
  let wasDue = false;
  let hasRead = false;
  let reported: string | undefined;
  await repeatEvery({ intervalMs: flags.interval, clock, signal }, async (number) => {
    const startedAt = clock.now();
    const progress: RoundProgress = { transactions: [], setbacks: 0 };
    const failure = await failureOf(watchRound(context, scope, progress), signal);
    hasRead ||= progress.table !== undefined;
    const waitingFor = flags.stage === "auto" && !hasRead ? missingFor(failure, scope) : undefined;
    const error = waitingFor === undefined ? failure : undefined;
    const seconds = Math.round(clock.now() - startedAt) / 1000;
    const round: Round = { number, at: new Date(), seconds, progress, error, waitingFor };
    const outcome = outcomeOf(round);
    tally[outcome] += 1;
    metrics?.recordRound(round);
    if (error !== undefined && flags.debug === true) output.note(stackOf(error));
    if (outcome === "ok" || (outcome === "waiting" && waitingFor !== reported)) output.print(roundText(round, file));
    else if (outcome === "failed") output.warn(roundText(round, file));
    reported = waitingFor ?? reported;
    const { isFinalizeDue = false } = progress;
    if (isFinalizeDue && !wasDue && outcome !== "finalized")
      output.warn(`L1 has moved on: finalize stage ${stage} with vipscore finalize --stage ${stage} --file ${file}`);
    wasDue = isFinalizeDue;
    output.json(roundJson(round, { stage, contract: contract.identity, file }));
    if (outcome === "ok") return false;
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

/** What is not there yet, if the failure says nothing else: the stage on L1, or the file of its rows. */
function missingFor(failure: VipError | undefined, { stage, file }: WatchScope): string | undefined {
  if (failure?.code === "STAGE_AHEAD") return `stage ${stage} of L1`;
  return failure?.code === "FILE_UNREADABLE" && systemErrorCode(failure.cause) === "ENOENT" ? file : undefined;
}

/** Returns the stage if it is finalized. A round without rows has not checked this. */
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
  { contract, stage, file }: WatchScope,
  finalized: StageInfo | undefined,
  { ok, failed }: Record<Outcome, number>,
): void {
  const total = finalized === undefined ? "" : ` with a total of ${group(finalized.total)}`;
  output.print(
    `stage ${stage} is finalized${total}: stopped following ${file} after ${count(ok + failed, "round")}, ${group(failed)} failed`,
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
 * Synchronizes the stage with the file once: reads its rows, plans, pushes the difference and verifies. Reads a stage that
 * already holds the rows only once. Keeps the journal open, and so blocks other commands of the signer, only while it reads
 * and writes the chain: between rounds the stage can be finalized.
 */
async function watchRound(context: Context, scope: WatchScope, progress: RoundProgress): Promise<void> {
  const l1 = await scope.readL1();
  progress.isFinalizeDue = l1 && l1.stage > scope.stage;
  if (l1 !== undefined) checkStageToWrite(l1, scope.stage);
  const table = await scope.readRows();
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
  const plan = await planPush(contract, stage, table, { prune, packed, resend: true, signal: io.signal, journal });
  progress.plan = plan;
  const agreement = agreementOf(plan);
  if (agreement !== undefined) {
    progress.verification = agreement;
    return;
  }
  const onEvent = (event: PushEvent): void => {
    metrics?.countEvent(event);
    if (event.type === "setback") progress.setbacks += 1;
    if (event.type === "confirmed") progress.transactions.push(sentTransaction(event));
  };
  const { verification, otherWrites } = await sendPlan(context, contract, plan, { journal, onEvent });
  progress.verification = verification;
  if (otherWrites > 0n) output.warn(`others wrote to stage ${stage} during this round: ${count(otherWrites, "call")}`);
}
