import type { Command } from "commander";
import { formatDuration, formatTime, formatTimeBetween, group, shortAddress } from "@vipscore/core/values";
import { isNotFound, undefinedIf } from "@vipscore/core/wire";
import {
  listStages,
  readBridgeShares,
  readVoteRules,
  rewardDenomOf,
  type BridgeShares,
  type ScheduledStage,
  type VipStage,
  type VoteRules,
} from "@vipscore/l1";
import type { Context } from "../context.ts";
import { readL1Stage, requireL1 } from "../l1/openL1.ts";
import { configOption, withL1Options, withOutputOptions } from "../options.ts";
import { formatTable } from "../output/table.ts";
import { findL1Settings, vipOptions, type L1CommandFlags } from "../settings/readSettings.ts";

export function addStage(command: Command, context: Context): void {
  withL1Options(withOutputOptions(command))
    .addOption(configOption())
    .addHelpText("after", "\nExample:\n  $ vipscore stage --l1-rest-url https://rest.initia.xyz")
    .action((flags: L1CommandFlags) => showStage(context, flags));
}

const laterStages = 3;

async function showStage(context: Context, flags: L1CommandFlags): Promise<void> {
  const { output, signal } = context;
  const found = await findL1Settings(context.io, flags);
  const l1 = requireL1(found, "no L1 endpoint to read the stage from", "its");
  const current = await readL1Stage(context, l1);
  const options = vipOptions(l1, signal);
  const votes = await readVoteRules({ ...options, block: current });
  // A module of an older version has no averages.
  const rewards = await undefinedIf(isNotFound, readBridgeShares(options, current));
  const schedule = listStages(current, laterStages);
  const lines = [...headLines(current, votes), "", ...scheduleLines(schedule, current)];
  if (rewards !== undefined && rewards.shares.length > 0) lines.push("", ...rewardLines(rewards, rewardDenomOf(votes)));
  output.print(lines.join("\n"));
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
    votes,
    rewards,
    schedule,
  });
}

function headLines({ chainId, vip, height, time, parameters }: VipStage, votes: VoteRules): readonly string[] {
  const { votingPeriodSeconds, expedited } = votes;
  return [
    "stages of L1; vipscore status shows those of the contract",
    `L1         ${chainId}, VIP module ${shortAddress(vip.address)}, height ${group(height)}, ${formatTime(time)}`,
    `snapshots  can be challenged for ${formatDuration(parameters.challengePeriodSeconds)}`,
    `votes      take ${formatDuration(votingPeriodSeconds)}, expedited ones ${formatDuration(expedited.votingPeriodSeconds)}`,
    `minimum    ${group(parameters.minimumEligibleTvl)} ${rewardDenomOf(votes)} that a bridge must hold on L1`,
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

/** What each rollup would get if the stage ended now. */
function rewardLines({ rewardPerStage, shares }: BridgeShares, denom: string): readonly string[] {
  const rows = shares.map(({ bridgeId, weight, averageBalance, pool }) => [
    `${bridgeId}`,
    weight,
    averageBalance === undefined ? "" : group(averageBalance),
    group(pool),
  ]);
  const head = ["bridge", "gauge weight", "average balance", "pool"];
  return [
    `the next stage's ${group(rewardPerStage)} ${denom}, if this one ended now: by the last gauge vote and this stage's balances`,
    ...formatTable([head, ...rows], { align: "rrrr", indent: "  " }),
  ];
}

function remarkOn({ isTentative, startsAt, endsAt }: ScheduledStage, { isOverdue, time }: VipStage): string {
  if (isTentative) return startsAt < time ? "waiting for VIP's agent too" : "tentative";
  const duration = formatTimeBetween(time, endsAt);
  return isOverdue ? `active, was due to end ${duration} ago: waiting for VIP's agent` : `active, ends in ${duration}`;
}
