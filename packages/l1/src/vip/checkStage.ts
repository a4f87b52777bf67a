import { VipError, type Stage } from "@vipscore/core";
import { formatTime } from "@vipscore/core/values";
import type { VipStage } from "./readVipStage.ts";

/**
 * Checks on L1 that scores may be written for a stage. L1's current stage and earlier stages are allowed: a stage's
 * last scores are known only once it has ended. The contract decides whether an earlier stage is still open.
 *
 * @returns warnings that do not prevent the write.
 * @throws VipError `STAGE_AHEAD` if L1 has not reached the stage.
 * @example
 * for (const warning of checkStageToWrite(await readVipStage({ l1RestUrl }), stage(12n))) console.warn(warning);
 */
export function checkStageToWrite(current: VipStage, stage: Stage): readonly string[] {
  if (stage > current.stage) throw stageAhead(current, stage);
  const behind = current.stage - stage;
  if (behind < 2n) return [];
  return [
    `L1 is at stage ${current.stage}, ${behind} ahead of stage ${stage}: users wait for its rewards until it is finalized.`,
  ];
}

export interface CheckStageToFinalizeOptions {
  /** Finalize although the stage is still active on L1: later scores of it can then never be written. */
  readonly early?: boolean;
}

/**
 * Checks on L1 that a stage may be finalized: L1 has moved past it. Finalizing cannot be undone on the rollup.
 *
 * @returns warnings that do not prevent finalizing.
 * @throws VipError `STAGE_RUNNING` while the stage is active on L1,
 * unless `early`; `STAGE_AHEAD` if L1 has not reached it, even with `early`.
 */
export function checkStageToFinalize(
  current: VipStage,
  stage: Stage,
  { early = false }: CheckStageToFinalizeOptions = {},
): readonly string[] {
  if (stage > current.stage) throw stageAhead(current, stage);
  if (stage < current.stage) return [];
  if (early)
    return [`Stage ${stage} is still active on L1 and ${ending(current)}: activity until then cannot be scored.`];
  throw new VipError(`stage ${stage} is still active on L1 and ${ending(current)}`, {
    code: "STAGE_RUNNING",
    metaMessages: [
      current.isOverdue
        ? "That is normal: VIP's agent advances the stage some time after its end. Finalize once L1 has moved on."
        : {
            code: "finalize-early",
            text: "Finalize once L1 has moved on. The rest of a stage that is finalized early can never be scored.",
          },
    ],
  });
}

function stageAhead(current: VipStage, stage: Stage): VipError {
  const { stage: running, isOverdue } = current;
  const hint =
    isOverdue && stage === running + 1n
      ? `Stage ${running} was due to end at ${formatTime(current.endsAt)} and VIP's agent has not advanced L1 yet; try again once it has.`
      : `Check the number. Stage ${stage} opens when L1 gets there.`;
  const where = running === 0n ? "has not started VIP's first stage" : `is at stage ${running}`;
  return new VipError(`stage ${stage} is ahead of L1, which ${where}`, {
    code: "STAGE_AHEAD",
    metaMessages: [hint],
  });
}

function ending({ endsAt, isOverdue }: VipStage): string {
  return `${isOverdue ? "was" : "is"} due to end at ${formatTime(endsAt)}`;
}

/**
 * Returns warnings about a contract's first stage, before it is deployed. When the proposal that registers the rollup
 * executes, L1 sets the first stage that it expects to the one after its current stage. A contract that starts earlier
 * has to finalize the stages before that empty; a contract that starts later can never provide it, and all later stages
 * wait for it.
 */
export function initStageWarnings(current: VipStage, initStage: Stage): readonly string[] {
  const firstWanted = current.stage + 1n;
  if (initStage > firstWanted) {
    return [
      `L1 is at stage ${current.stage}. If the rollup were registered now, L1 would expect scores from stage ${firstWanted} on, which a contract that starts at stage ${initStage} can never provide.`,
      `Start at stage ${firstWanted} or earlier, unless the proposal executes in stage ${initStage - 1n} or later.`,
    ];
  }
  const empty = firstWanted - initStage;
  if (empty < 2n) return [];
  return [
    `L1 is at stage ${current.stage}: a contract that starts at stage ${initStage} has to finalize at least ${empty} stages before stage ${firstWanted}, the first that L1 expects from a rollup registered now.`,
  ];
}

/** A stage with the times at which it is due to start and end. */
export interface ScheduledStage {
  readonly stage: bigint;
  readonly startsAt: Date;
  readonly endsAt: Date;
  /** The stage has not started: governance can change the interval, and the agent may be late. */
  readonly isTentative: boolean;
}

/** The latest time that a Date can represent, in milliseconds since 1970. */
const lastTime = 8_640_000_000_000_000n;

/**
 * L1's current stage and the next ones: a later stage starts when the current one is due to end, or a whole number of
 * intervals after that.
 *
 * @param later how many stages to list after the current one; fewer if the calendar ends.
 */
export function listStages(current: VipStage, later: number): readonly ScheduledStage[] {
  const { stage, startsAt, endsAt, intervalSeconds } = current;
  const stages: ScheduledStage[] = stage === 0n ? [] : [{ stage, startsAt, endsAt, isTentative: false }];
  const interval = intervalSeconds * 1000n;
  let start = BigInt(endsAt.getTime());
  for (let next = 1; next <= later && start + interval <= lastTime; next += 1) {
    const end = start + interval;
    stages.push({
      stage: stage + BigInt(next),
      startsAt: new Date(Number(start)),
      endsAt: new Date(Number(end)),
      isTentative: true,
    });
    start = end;
  }
  return stages;
}
