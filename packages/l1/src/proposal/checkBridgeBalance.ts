import { CheckError, formatBech32, type Account } from "@vipscore/core";
import type { VipStage } from "../vip/vipStage.ts";
import { readBalance } from "./readBalance.ts";

/** The token in which VIP counts a bridge's balance and pays rewards (`vault::reward_metadata` in the module's source). */
const rewardDenom = "uinit";

export interface CheckBridgeBalanceOptions {
  /** REST endpoint of L1. */
  readonly l1RestUrl: string;
  readonly current: VipStage;
  /** The bridge's account on L1. */
  readonly bridgeAddress: Account;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Checks that a bridge holds VIP's minimum (`minimum_eligible_tvl`), which `register` asks for when the vote on it executes.
 *
 * @throws CheckError `BRIDGE_BELOW_MINIMUM`; NodeError; the signal's reason when aborted.
 */
export async function checkBridgeBalance(options: CheckBridgeBalanceOptions): Promise<void> {
  const { current, bridgeAddress, ...rest } = options;
  const minimum = current.parameters.minimumEligibleTvl;
  if (minimum === 0n) return;
  const balance = await readBalance({ ...rest, account: bridgeAddress, denom: rewardDenom });
  if (balance >= minimum) return;
  throw new CheckError(
    `the bridge ${formatBech32(bridgeAddress)} holds ${balance}${rewardDenom} on L1, and VIP's minimum is ${minimum}${rewardDenom}`,
    {
      code: "BRIDGE_BELOW_MINIMUM",
      metaMessages: [
        "The vote would pass and then fail: vip::register aborts with code 852002 if the bridge holds less when it executes.",
        "Have users bridge more to the rollup. A stage in which the bridge holds less, on average, is not paid either.",
      ],
    },
  );
}
