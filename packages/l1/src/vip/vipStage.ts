import type { L1Block } from "./openVip.ts";
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
