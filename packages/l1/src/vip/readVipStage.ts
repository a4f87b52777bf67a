import type { Answer } from "@vipscore/core/wire";
import { openVip, type VipOptions } from "./openVip.ts";
import { stageTimes } from "./stageTimes.ts";
import type { VipParameters, VipStage } from "./vipStage.ts";

/**
 * Reads VIP's current stage, its times and its parameters from the resource `ModuleStore` of L1's module `vip`, at the
 * height of the newest block.
 *
 * @throws InputError `CONFIG_INVALID` if the URL or the address cannot be used, no address is known for the chain, or
 * the address has no VIP module; NodeError `NODE_UNREACHABLE`, `NODE_ERROR`, `NODE_BAD_RESPONSE` naming the field; the
 * signal's reason when aborted.
 * @example
 * const { stage, endsAt } = await readVipStage({ l1RestUrl: "https://rest.initia.xyz" });
 */
export async function readVipStage(options: VipOptions): Promise<VipStage> {
  const { block, vip, readModuleStore } = await openVip(options);
  const store = await readModuleStore(readStage);
  return { ...block, ...store, vip, isOverdue: store.stage > 0n && store.endsAt < block.time };
}

type ModuleStore = Pick<VipStage, "stage" | "startsAt" | "endsAt" | "intervalSeconds" | "parameters">;

function readStage(data: Answer): ModuleStore {
  return {
    stage: data.field("stage").u64(),
    ...stageTimes(data),
    intervalSeconds: data.field("stage_interval").u64(),
    parameters: readParameters(data),
  };
}

function readParameters(data: Answer): VipParameters {
  return {
    challengePeriodSeconds: data.field("challenge_period").u64(),
    vestingPeriodStages: data.field("vesting_period").u64(),
    minimumScoreRatio: data.field("minimum_score_ratio").decimal(),
    minimumLockStakingPeriodSeconds: data.field("minimum_lock_staking_period").u64(),
    poolSplitRatio: data.field("pool_split_ratio").decimal(),
    maximumTvlRatio: data.field("maximum_tvl_ratio").decimal(),
    minimumEligibleTvl: data.field("minimum_eligible_tvl").u64(),
    maximumWeightRatio: data.field("maximum_weight_ratio").decimal(),
  };
}
