import type { Answer } from "@vipscore/core/wire";
import { findEntry, keyOf, openVip, readHandle, type L1Block, type VipOptions } from "./openVip.ts";
import type { VipAddress } from "./vipAddress.ts";

/** VIP's current stage on L1 and its parameters, read at one height. */
export interface VipStage extends L1Block {
  readonly vip: VipAddress;
  /** L1's current stage; 0 before VIP's first stage. */
  readonly stage: bigint;
  readonly startsAt: Date;
  /** When the stage is due to end. */
  readonly endsAt: Date;
  /**
   * The stage was due to end but is still active on L1. This is normal for a while: an agent, not the clock, advances
   * the stage. Only {@link stage} counts.
   */
  readonly isOverdue: boolean;
  /** Planned length of the next stages, in seconds; governance can change it. */
  readonly intervalSeconds: bigint;
  readonly parameters: VipParameters;
}

/** VIP parameters set by L1's governance. Ratios are decimal strings, exact to 18 decimal places. */
export interface VipParameters {
  /** Time in which the snapshot of a finalized stage can be challenged, in seconds. */
  readonly challengePeriodSeconds: bigint;
  /** Number of stages over which a reward vests. */
  readonly vestingPeriodStages: bigint;
  /** Share of its score that an account must keep for its whole reward to vest. */
  readonly minimumScoreRatio: string;
  readonly minimumLockStakingPeriodSeconds: bigint;
  readonly poolSplitRatio: string;
  readonly maximumTvlRatio: string;
  readonly minimumEligibleTvl: bigint;
  readonly maximumWeightRatio: string;
}

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

function readStage(data: Answer): Pick<VipStage, "stage" | "startsAt" | "endsAt" | "intervalSeconds" | "parameters"> {
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

/** Options of {@link readVipStageTimes}. */
export interface ReadVipStageTimesOptions extends VipOptions {
  readonly stage: bigint;
}

/**
 * Reads the times of L1's current stage or of an earlier one, at the height of the newest block. L1 keeps the times of an ended stage
 * in `stage_data` of `ModuleStore`.
 *
 * @returns undefined for a stage that L1 has not reached, or whose times it does not keep.
 * @throws InputError `CONFIG_INVALID`; NodeError, like `readVipStage`; the signal's reason when aborted.
 */
export async function readVipStageTimes(options: ReadVipStageTimesOptions): Promise<VipStageTimes | undefined> {
  const reader = await openVip(options);
  const { current, times, stages } = await reader.readModuleStore((data) => ({
    current: data.field("stage").u64(),
    times: stageTimes(data),
    stages: readHandle(data.field("stage_data")),
  }));
  if (options.stage === current) return times;
  return options.stage > current ? undefined : findEntry(reader, stages, keyOf(options.stage), stageTimes);
}

/** When a stage started and ended on L1. */
export interface VipStageTimes {
  readonly startsAt: Date;
  /** When it is due to end, for the current stage. */
  readonly endsAt: Date;
}

/** Reads the times of the current stage from `ModuleStore`, or of an ended one from its entry in `stage_data`. */
export function stageTimes(data: Answer): VipStageTimes {
  const startsAt = data.field("stage_start_time").unixTime();
  const endsAt = data.field("stage_end_time").unixTime();
  if (endsAt < startsAt) data.field("stage_end_time").unreadable("after stage_start_time");
  return { startsAt, endsAt };
}
