import type { VipStage } from "./vipStage.ts";

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
