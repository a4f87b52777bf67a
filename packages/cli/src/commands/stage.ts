import type { Command } from "commander";
import { formatDuration, formatTime, formatTimeBetween, group, shortAddress } from "@vipscore/core/values";
import { listStages, type ScheduledStage, type VipStage } from "@vipscore/l1";
import type { Context } from "../context.ts";
import { readL1Stage, requireL1 } from "../l1/openL1.ts";
import { configOption, withL1Options, withOutputOptions } from "../options.ts";
import { formatTable } from "../output/table.ts";
import { findL1Settings, type L1CommandFlags } from "../settings/readSettings.ts";

export function addStage(command: Command, context: Context): void {
  withL1Options(withOutputOptions(command))
    .addOption(configOption())
    .addHelpText("after", "\nExample:\n  $ vipscore stage --l1-rest-url https://rest.initia.xyz")
    .action((flags: L1CommandFlags) => showStage(context, flags));
}

/** Number of stages listed after L1's active one. */
const laterStages = 3;

async function showStage(context: Context, flags: L1CommandFlags): Promise<void> {
  const { output } = context;
  const found = await findL1Settings(context.io, flags);
  const current = await readL1Stage(context, requireL1(found, "no L1 endpoint to read the stage from", "its"));
  const schedule = listStages(current, laterStages);
  output.print([...headLines(current), "", ...scheduleLines(schedule, current)].join("\n"));
  const { chainId, vip, height, time, stage, startsAt, endsAt, isOverdue, intervalSeconds, parameters } = current;
  output.json({
    command: "stage",
    of: "l1",
    l1: { chainId, vipAddress: vip.address, height, time },
    stage,
    startsAt,
    endsAt,
    isOverdue,
    intervalSeconds,
    parameters,
    schedule,
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

function scheduleLines(stages: readonly ScheduledStage[], current: VipStage): readonly string[] {
  const rows = stages.map((scheduled) => [
    scheduled.stage.toString(),
    formatTime(scheduled.startsAt),
    formatTime(scheduled.endsAt),
    remarkOn(scheduled, current),
  ]);
  return [
    ...formatTable([["stage", "starts", "ends", ""], ...rows], { align: "rlll", indent: "  " }),
    ...(current.stage === 0n ? ["  VIP has not started its first stage."] : []),
  ];
}

function remarkOn({ isTentative, endsAt }: ScheduledStage, { isOverdue, time }: VipStage): string {
  if (isTentative) return "tentative";
  const duration = formatTimeBetween(time, endsAt);
  return isOverdue ? `active, was due to end ${duration} ago: waiting for VIP's agent` : `active, ends in ${duration}`;
}
