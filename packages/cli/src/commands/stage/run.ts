import { InputError } from "@vipscore/core";
import { readNodeFile } from "@vipscore/core/nodeFile";
import { listStages, type ScheduledStage, type VipStage } from "@vipscore/l1";
import type { Context } from "../../context.ts";
import { readL1Stage } from "../../l1/l1Stage.ts";
import { group, shortAddress } from "../../output/numbers.ts";
import { formatDuration, formatTime, formatTimeBetween } from "../../output/times.ts";
import { readConfigFile } from "../../settings/configFile.ts";
import { readL1Settings, type L1Flags, type L1Settings } from "../../settings/l1Settings.ts";

/** The flags of `stage`. */
export interface StageFlags extends L1Flags {
  readonly config?: string;
}

/** Number of stages listed after L1's active one. */
const laterStages = 3;

/** Shows the stages of L1: `stage`. */
export async function showStage(context: Context, flags: StageFlags): Promise<void> {
  const { output } = context;
  const current = await readL1Stage(context, await findL1(context, flags));
  const stages = listStages(current, laterStages);
  output.print([...headLines(current), "", ...tableLines(stages, current)].join("\n"));
  output.json({ command: "stage", of: "l1", ...stageJson(current), schedule: stages.map(scheduledJson) });
}

async function findL1({ io }: Context, flags: StageFlags): Promise<L1Settings> {
  const config = await readConfigFile(io, flags.config);
  const found = readL1Settings(io, flags, config, await readNodeFile(io.cwd));
  if (found !== undefined) return found;
  throw new InputError("no L1 endpoint to read the stage from", {
    code: "CONFIG_INVALID",
    metaMessages: ["Set its REST endpoint with --l1-rest-url, L1_REST_URL or l1RestUrl in vipscore.config.json."],
  });
}

function headLines({ chainId, vip, height, time, parameters }: VipStage): readonly string[] {
  return [
    "stages of L1; vipscore status shows those of the contract",
    `L1         ${chainId}, VIP module ${shortAddress(vip.address)}, height ${group(height)}, ${formatTime(time)}`,
    `snapshots  can be challenged for ${formatDuration(parameters.challengePeriodSeconds)}`,
    `rewards    vest over ${group(parameters.vestingPeriodStages)} stages, in full for ${parameters.minimumScoreRatio} of the score`,
  ];
}

function tableLines(stages: readonly ScheduledStage[], current: VipStage): readonly string[] {
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

function stageJson({ chainId, vip, height, time, ...current }: VipStage): object {
  const { stage, startsAt, endsAt, isOverdue, intervalSeconds, parameters } = current;
  return {
    l1: { chainId, vipAddress: vip.address, height, time: time.toISOString() },
    stage,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    isOverdue,
    intervalSeconds,
    parameters,
  };
}

function scheduledJson({ stage, startsAt, endsAt, isTentative }: ScheduledStage): object {
  return { stage, startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString(), isTentative };
}
