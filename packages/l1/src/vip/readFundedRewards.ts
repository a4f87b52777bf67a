import { bcsU64 } from "../bcs/bcsType.ts";
import { openVip, type VipOptions } from "./openVip.ts";
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
    const rewards = await findEntry(reader, table, keyOf(stage), (data) =>
      readHandle(data.field("user_funded_rewards")),
    );
    if (rewards === undefined) return undefined;
    const users = await findEntry(reader, rewards, bcsU64.encode(bridgeId), (value) => value.u64());
    return users === undefined ? undefined : { stage, users };
  };
  return (await Promise.all(stages.map(read))).filter((reward) => reward !== undefined);
}
