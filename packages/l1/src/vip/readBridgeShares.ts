import { bcsBytes, formatRatio, parseRatio, ratioOne } from "../bcs/bcsType.ts";
import { findEntry, openVip, pairKey, readHandle, readStoreOf, type VipOptions } from "./openVip.ts";
import { readVipBridges, type VipBridge } from "./readVipBridges.ts";
import type { VipStage } from "./readVipStage.ts";

/** A registered rollup's share of the rewards of the next stage, as things are now. */
export interface BridgeShare extends Pick<VipBridge, "bridgeId" | "version"> {
  /** Its share of the last executed gauge vote, as a decimal number. */
  readonly weight: string;
  /** What the bridge's account holds on average in the current stage; undefined before L1 has counted it. */
  readonly averageBalance: bigint | undefined;
  /** What its operator and users together would get of the next stage, in the smallest unit. */
  readonly pool: bigint;
}

/** The rewards of a stage, and the registered rollups' shares. */
export interface BridgeShares {
  readonly rewardPerStage: bigint;
  /** By bridge ID. */
  readonly shares: readonly BridgeShare[];
}

/**
 * Reads how L1 would divide the rewards of the next stage if the current one ended now, by the rule of `fund_reward_script`: one
 * part by the weights of the last gauge vote, the other by the average balances in the current stage; nothing for a bridge whose
 * average is below VIP's minimum.
 *
 * @throws InputError `CONFIG_INVALID`; NodeError, like `readVipStage`; the signal's reason when aborted.
 */
export async function readBridgeShares(options: VipOptions, current: VipStage): Promise<BridgeShares> {
  const at = { ...options, block: current };
  const reader = await openVip(at);
  const [{ bridges }, rewardPerStage, summary] = await Promise.all([
    readVipBridges(at),
    readStoreOf(reader, "vault", (data) => data.field("reward_per_stage").u64()),
    readStoreOf(reader, "tvl_manager", (data) => readHandle(data.field("summary"))),
  ]);
  const averages = await Promise.all(
    bridges.map(({ bridgeId }) =>
      findEntry(reader, summary, bcsBytes.encode(pairKey(current.stage, bridgeId)), (value) =>
        value.field("tvl").u64(),
      ),
    ),
  );
  const total = averages.reduce<bigint>((sum, average = 0n) => sum + average, 0n);
  const { poolSplitRatio, maximumWeightRatio, minimumEligibleTvl } = current.parameters;
  const split = parseRatio(poolSplitRatio) ?? 0n;
  const most = parseRatio(maximumWeightRatio) ?? ratioOne;
  const shares = bridges.map(({ bridgeId, version, weight }, index): BridgeShare => {
    const averageBalance = averages[index];
    const average = averageBalance ?? 0n;
    const byBalance = total === 0n ? 0n : (((average * ratioOne) / total) * split) / ratioOne;
    const share = (weight * (ratioOne - split)) / ratioOne + byBalance;
    const counted = average < minimumEligibleTvl ? 0n : share < most ? share : most;
    return {
      bridgeId,
      version,
      weight: formatRatio(weight),
      averageBalance,
      pool: (counted * rewardPerStage) / ratioOne,
    };
  });
  return { rewardPerStage, shares };
}
