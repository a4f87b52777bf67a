import type { VipAddress } from "./vipAddress.ts";

/** VIP's current stage on L1 and what governs it, read at one height. */
export interface VipStage {
  readonly chainId: string;
  readonly vip: VipAddress;
  /** The height that everything here was read at. */
  readonly height: bigint;
  /** The time of that block, which L1 goes by. */
  readonly time: Date;
  /** The stage that L1 runs; 0 before VIP's first one. */
  readonly stage: bigint;
  readonly startsAt: Date;
  /** When the stage is due to end. */
  readonly endsAt: Date;
  /**
   * The stage was due to end and L1 still runs it. This is normal for a while: an agent moves the stage, not the clock. Only
   * what {@link stage} says counts.
   */
  readonly isOverdue: boolean;
  /** What the next stages are due to take, in seconds; governance can change it. */
  readonly intervalSeconds: bigint;
  readonly parameters: VipParameters;
}

/** What L1's governance has set for VIP. Ratios are decimal numbers as text, exact to 18 digits after the point. */
export interface VipParameters {
  /** How long the snapshot of a finalized stage can be challenged, in seconds. */
  readonly challengePeriodSeconds: bigint;
  /** Over how many stages a reward vests. */
  readonly vestingPeriodStages: bigint;
  /** The part of its score that an account has to keep for its whole reward to vest. */
  readonly minimumScoreRatio: string;
  readonly minimumLockStakingPeriodSeconds: bigint;
  readonly poolSplitRatio: string;
  readonly maximumTvlRatio: string;
  readonly minimumEligibleTvl: bigint;
  readonly maximumWeightRatio: string;
}
