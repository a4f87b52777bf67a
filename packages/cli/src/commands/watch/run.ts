import { VipError, type ScoreContract, type Stage, type StageInfo } from "@vipscore/core";
import { checkMember, checkNewest, checkOpen, requirePacked, stageNotFound } from "@vipscore/core/engine";
import { count, group } from "@vipscore/core/values";
import { checkStageToWrite } from "@vipscore/l1";
import type { Context } from "../../context.ts";
import { connect } from "../../contract/connect.ts";
import { openJournal } from "../../contract/journal.ts";
import type { TableFlags } from "../../contract/readTable.ts";
import { repeatEvery, systemClock } from "../../io/clock.ts";
import { findL1Stage } from "../../l1/l1Stage.ts";
import { stackOf } from "../../output/reportError.ts";
import { readSettings, type ConnectionFlags } from "../../settings/readSettings.ts";
import { openMetrics } from "./openMetrics.ts";
import { roundJson, roundText } from "./report.ts";
import { outcomeOf, type Outcome, type Round, type RoundProgress } from "./round.ts";
import { findRowOrigin, openRowSource } from "./rowSource.ts";
import { watchRound, type WatchScope } from "./watchRound.ts";

export interface WatchFlags extends ConnectionFlags, TableFlags {
  readonly stage: Stage;
  /** Time from the start of a round to the start of the next, in milliseconds. */
  readonly interval: number;
  readonly prune?: boolean;
  readonly packed?: boolean;
  readonly journal?: string;
  readonly metricsPort?: number;
  readonly debug?: boolean;
}

/**
 * Keeps an open stage up to date with its rows until someone finalizes it.
 *
 * @throws errors of settings, the connection and the first checks; later only the signal's reason and bugs in vipscore
 * itself.
 */
export async function watchStage(context: Context, words: readonly string[], flags: WatchFlags): Promise<void> {
  const { io, output } = context;
  const { signal } = io;
  const origin = findRowOrigin(context, words);
  const settings = await readSettings(context, flags);
  const source = openRowSource(context, settings.vm, origin, flags);
  const metrics = await openMetrics(output, flags.metricsPort);
  try {
    const contract = await connect(context, settings, flags, "required");
    const l1 = await findL1Stage(context, settings);
    if (l1 !== undefined) for (const warning of checkStageToWrite(l1, flags.stage)) output.warn(warning);
    await checkStageAtStart(contract, flags, signal);
    // Each round opens the journal; if it cannot be opened at all, end the watch before the first round.
    await (await openJournal(context, contract, flags.stage, flags.journal)).close();
    const { stage, prune = false, packed = false, journal: journalFile } = flags;
    await watchOpenStage(context, { contract, stage, source, journalFile, prune, packed, metrics }, flags);
  } finally {
    await metrics.stop();
  }
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
    metrics.recordRound(round);
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
    total: finalized?.total ?? null,
    rounds: { ok, failed },
  });
}

/**
 * Checks that the signer can write the stage, so that a mistake ends a watch immediately instead of failing in every round.
 *
 * @throws CheckError `STAGE_NOT_FOUND`, `STAGE_FINALIZED`, `PERMISSION_DENIED`, `NOT_SUPPORTED`; NodeError.
 */
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
