import { group } from "@vipscore/core/values";
import {
  parseMoveAddress,
  readBridgeBalance,
  readFundedRewards,
  type VipBridge,
  type VipOptions,
  type VipStage,
} from "@vipscore/l1";
import { action, ok, warning, type Finding } from "./finding.ts";

/** Stages whose rewards are shown, the newest ones. */
const stagesShown = 5n;

/** Compares what the bridge holds on L1 with VIP's minimum, and shows what its newest stages were funded with. */
export async function checkRewards(options: VipOptions, current: VipStage, bridge: VipBridge): Promise<Finding> {
  const bridgeAddress = parseMoveAddress(bridge.bridgeAddress);
  const { bridgeId } = bridge;
  const [balance, funded] = await Promise.all([
    readBridgeBalance({ ...options, bridgeAddress }),
    readFundedRewards({ ...options, bridgeId, stages: stagesOf(bridge, current) }),
  ]);
  const { minimumEligibleTvl: minimum } = current.parameters;
  const amount = (value: bigint): string => `${group(value)} ${balance.denom}`;
  const shares = funded.map(({ stage, users }) => `${amount(users)} for stage ${stage}`);
  const rewards = shares.length === 0 ? "" : `; its users share ${shares.join(", ")}`;
  const text = `bridge ${bridgeId} holds ${amount(balance.amount)} on L1, VIP's minimum is ${amount(minimum)}${rewards}`;
  if (balance.amount < minimum) {
    return action(
      "rewards",
      text,
      "Have users bridge more to the rollup: a stage in which the bridge holds less, on average, makes the next one pay nothing.",
    );
  }
  return funded.some(({ users }) => users === 0n) ? warning("rewards", text) : ok("rewards", text);
}

/** The registration's newest stages that L1 has reached, oldest first. */
function stagesOf({ initStage }: VipBridge, { stage }: VipStage): readonly bigint[] {
  const stages: bigint[] = [];
  for (let number = stage; number >= initStage && stage - number < stagesShown; number -= 1n) stages.unshift(number);
  return stages;
}
