import type { VipStage } from "../src/index.ts";

/** L1 at stage 12, which ends in 10 days and 6 hours. */
export const running: VipStage = {
  chainId: "interwoven-1",
  vip: { address: "0x1" as VipStage["vip"]["address"], isConfirmed: true },
  height: 1n,
  time: new Date("2026-11-21T06:00:00Z"),
  stage: 12n,
  startsAt: new Date("2026-11-17T12:00:00Z"),
  endsAt: new Date("2026-12-01T12:00:00Z"),
  isOverdue: false,
  intervalSeconds: 1_209_600n,
  parameters: {
    challengePeriodSeconds: 86_400n,
    vestingPeriodStages: 26n,
    minimumScoreRatio: "0.5",
    minimumLockStakingPeriodSeconds: 0n,
    poolSplitRatio: "0.2",
    maximumTvlRatio: "1",
    minimumEligibleTvl: 0n,
    maximumWeightRatio: "1",
  },
};
