import { bcsU64 } from "../bcs/bcsType.ts";
import { openVip, type VipOptions, type VipReader } from "./openVip.ts";
import type { VipBridge } from "./readVipBridges.ts";
import { findEntry, keyOf, readHandle } from "./tables.ts";

/** Options of {@link readFundedRewards}. */
export interface ReadFundedRewardsOptions extends VipOptions, Pick<VipBridge, "bridgeId"> {
  readonly stages: readonly bigint[];
}

/** What L1 set aside for a bridge when a stage began. */
export interface FundedReward {
  readonly stage: bigint;
  /** The users' part, in the smallest unit; 0 for a bridge that held less than VIP's minimum, or without any weight. */
  readonly users: bigint;
}

/**
 * Reads what stages were funded with for the users of a bridge, at the height of the newest block. Leaves out stages that
 * L1 has not funded for this bridge.
 *
 * @throws InputError `CONFIG_INVALID`; NodeError, like `readVipStage`; the signal's reason when aborted.
 */
export async function readFundedRewards(options: ReadFundedRewardsOptions): Promise<readonly FundedReward[]> {
  const { bridgeId, stages } = options;
  const reader = await openVip(options);
  const table = await reader.readModuleStore((data) => readHandle(data.field("stage_data")));
  const read = async (stage: bigint): Promise<FundedReward | undefined> => {
    const users = await findFundedReward(reader, table, { bridgeId, stage, part: "user_funded_rewards" });
    return users === undefined ? undefined : { stage, users };
  };
  return (await Promise.all(stages.map(read))).filter((reward) => reward !== undefined);
}

/** Reads a part of what a stage was funded with for a bridge, from the table of stages; undefined if L1 has not funded it. */
export async function findFundedReward(
  reader: VipReader,
  table: string,
  {
    bridgeId,
    stage,
    part,
  }: {
    readonly bridgeId: bigint;
    readonly stage: bigint;
    readonly part: "user_funded_rewards" | "operator_funded_rewards";
  },
): Promise<bigint | undefined> {
  const rewards = await findEntry(reader, table, keyOf(stage), (data) => readHandle(data.field(part)));
  if (rewards === undefined) return undefined;
  return findEntry(reader, rewards, bcsU64.encode(bridgeId), (value) => value.u64());
}
