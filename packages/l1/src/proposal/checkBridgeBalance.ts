import { CheckError, formatBech32 } from "@vipscore/core";
import type { VipStage } from "../vip/vipStage.ts";
import { readBridgeBalance, type ReadBridgeBalanceOptions } from "./readBridgeBalance.ts";

export interface CheckBridgeBalanceOptions extends ReadBridgeBalanceOptions {
  readonly current: VipStage;
}

/**
 * Checks that a bridge holds VIP's minimum (`minimum_eligible_tvl`), which `register` asks for when the vote on it executes.
 *
 * @throws CheckError `BRIDGE_BELOW_MINIMUM`; NodeError; the signal's reason when aborted.
 */
export async function checkBridgeBalance(options: CheckBridgeBalanceOptions): Promise<void> {
  const { current, bridgeAddress } = options;
  const minimum = current.parameters.minimumEligibleTvl;
  if (minimum === 0n) return;
  const { denom, amount } = await readBridgeBalance(options);
  if (amount >= minimum) return;
  throw new CheckError(
    `the bridge ${formatBech32(bridgeAddress)} holds ${amount}${denom} on L1, and VIP's minimum is ${minimum}${denom}`,
    {
      code: "BRIDGE_BELOW_MINIMUM",
      metaMessages: [
        "The vote would pass and then fail: vip::register aborts with code 852002 if the bridge holds less when it executes.",
        "Have users bridge more to the rollup. After a stage in which the bridge holds less, on average, the next one pays nothing.",
      ],
    },
  );
}
