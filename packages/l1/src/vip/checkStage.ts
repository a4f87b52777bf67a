import { CheckError, type Stage } from "@vipscore/core";
import type { VipStage } from "./vipStage.ts";

/**
 * Checks that scores may be written for a stage as far as L1 is concerned. Right are the stage that L1 runs, and those
 * before it: the last scores of a stage are known only when it has ended. Whether an earlier stage is still open is the
 * contract's to say.
 *
 * @returns what a person should know although it is no reason to stop.
 * @throws CheckError `STAGE_AHEAD` when L1 has not reached the stage.
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
  /** Finalize although L1 still runs the stage: scores of the rest of it can then never be written. */
  readonly early?: boolean;
}

/**
 * Checks that a stage may be finalized as far as L1 is concerned: L1 has moved past it. A finalized stage has no remedy on
 * the rollup.
 *
 * @returns what a person should know although it is no reason to stop.
 * @throws CheckError `STAGE_RUNNING` while L1 runs the stage, unless `early`; `STAGE_AHEAD` when L1 has not reached it, also
 * when `early`.
 */
export function checkStageToFinalize(
  current: VipStage,
  stage: Stage,
  { early = false }: CheckStageToFinalizeOptions = {},
): readonly string[] {
  if (stage > current.stage) throw stageAhead(current, stage);
  if (stage < current.stage) return [];
  if (early) return [`L1 still runs stage ${stage}, ${ending(current)}: what happens until then can not be scored.`];
  throw new CheckError(`L1 still runs stage ${stage}, ${ending(current)}.`, {
    code: "STAGE_RUNNING",
    metaMessages: [
      current.isOverdue
        ? "That is normal: VIP's agent moves the stage some time after its end. Finalize when L1 has moved on."
        : "Finalize when L1 has moved on; --early does it now, and the rest of the stage can then not be scored.",
    ],
  });
}

function stageAhead(current: VipStage, stage: Stage): CheckError {
  const { stage: running, isOverdue } = current;
  const hint =
    isOverdue && stage === running + 1n
      ? `Stage ${running} was due to end at ${utc(current.endsAt)} and VIP's agent has not moved L1 on yet; run again when it has.`
      : "A stage that is finalized too early has no remedy. Name the stage that L1 runs, or an earlier one that is still open.";
  const where = running === 0n ? "has not started VIP's first stage" : `runs stage ${running}`;
  return new CheckError(`stage ${stage} is ahead of L1, which ${where}`, {
    code: "STAGE_AHEAD",
    metaMessages: [hint],
  });
}

function ending({ endsAt, isOverdue }: VipStage): string {
  return `which ${isOverdue ? "was" : "is"} due to end at ${utc(endsAt)}`;
}

/** `2026-11-21 06:06 UTC`. */
function utc(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
