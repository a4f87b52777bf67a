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

/** Parameters of governance as a node of L1 v1.4.6 returned them. */
export const params = {
  min_deposit: [{ denom: "uinit", amount: "100000000" }],
  max_deposit_period: "60s",
  voting_period: "15s",
  expedited_voting_period: "10s",
  expedited_min_deposit: [{ denom: "uinit", amount: "200000000" }],
};
