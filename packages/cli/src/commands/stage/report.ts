import { formatDuration, formatTime, formatTimeBetween, group, shortAddress } from "@vipscore/core/values";
import type { ScheduledStage, VipStage } from "@vipscore/l1";

/** Returns L1 and its rules for people. */
export function headLines({ chainId, vip, height, time, parameters }: VipStage): readonly string[] {
  return [
    "stages of L1; vipscore status shows those of the contract",
    `L1         ${chainId}, VIP module ${shortAddress(vip.address)}, height ${group(height)}, ${formatTime(time)}`,
    `snapshots  can be challenged for ${formatDuration(parameters.challengePeriodSeconds)}`,
    `rewards    vest over ${group(parameters.vestingPeriodStages)} stages, in full for ${parameters.minimumScoreRatio} of the score`,
  ];
}

/** Returns the table of stages for people. */
export function tableLines(stages: readonly ScheduledStage[], current: VipStage): readonly string[] {
  const width = Math.max(5, ...stages.map(({ stage }) => stage.toString().length));
  const row = (stage: string, starts: string, ends: string, remark: string): string =>
    `  ${stage.padStart(width)}  ${starts.padEnd(20)}  ${ends.padEnd(20)}  ${remark}`.trimEnd();
  return [
    row("stage", "starts", "ends", ""),
    ...stages.map((scheduled) =>
      row(
        scheduled.stage.toString(),
        formatTime(scheduled.startsAt),
        formatTime(scheduled.endsAt),
        remarkOn(scheduled, current),
      ),
    ),
    ...(current.stage === 0n ? ["  VIP has not started its first stage."] : []),
  ];
}

function remarkOn({ isTentative, endsAt }: ScheduledStage, { isOverdue, time }: VipStage): string {
  if (isTentative) return "tentative";
  const duration = formatTimeBetween(time, endsAt);
  return isOverdue ? `active, was due to end ${duration} ago: waiting for VIP's agent` : `active, ends in ${duration}`;
}

/** Returns the report for `--json`. */
export function stageJson(
  { chainId, vip, height, time, ...current }: VipStage,
  stages: readonly ScheduledStage[],
): object {
  const { stage, startsAt, endsAt, isOverdue, intervalSeconds, parameters } = current;
  return {
    command: "stage",
    of: "l1",
    l1: { chainId, vipAddress: vip.address, height, time: time.toISOString() },
    stage,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    isOverdue,
    intervalSeconds,
    parameters,
    schedule: stages.map(scheduledJson),
  };
}

function scheduledJson({ stage, startsAt, endsAt, isTentative }: ScheduledStage): object {
  return { stage, startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString(), isTentative };
}
