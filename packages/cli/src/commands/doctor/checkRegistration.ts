import type { ContractIdentity, StageInfo } from "@vipscore/core";
import {
  bridgesOf,
  newestBridge,
  readVipBridges,
  readVipSnapshot,
  type VipBridge,
  type VipOptions,
} from "@vipscore/l1";
import { group } from "../../output/numbers.ts";
import { action, ok, skipped, warning, type Finding } from "./finding.ts";

/** The registration of the contract on L1: the newest one, where a bridge was registered again. */
export async function findRegistration(
  l1: VipOptions,
  contract: ContractIdentity,
): Promise<{ readonly bridge: VipBridge | undefined }> {
  const { bridges } = await readVipBridges(l1);
  return { bridge: newestBridge(bridgesOf(bridges, contract)) };
}

/** Reports whether L1 takes scores from the contract. */
export function checkRegistration(bridge: VipBridge | undefined): Finding {
  if (bridge === undefined) {
    return warning(
      "registration",
      "no rollup is registered on L1 with this contract: its users are not rewarded",
      "Propose the registration to L1's governance: vipscore proposal register",
      "If the rollup is registered with another contract: vipscore proposal contract",
    );
  }
  const { bridgeId, version, operatorAddress } = bridge;
  return ok("registration", `bridge ${bridgeId}, version ${version}, with this contract; operator ${operatorAddress}`);
}

/** Reports whether L1 has the snapshot of the newest finalized stage, and whether its total is the contract's. */
export async function checkSnapshot(
  l1: VipOptions,
  { bridgeId, version, initStage }: VipBridge,
  stages: readonly StageInfo[],
): Promise<Finding> {
  const last = stages.findLast(({ stage, isFinalized }) => isFinalized && stage >= initStage);
  if (last === undefined) return skipped("snapshot", "no stage that L1 expects is finalized yet");
  const { stage, total } = last;
  const snapshot = await readVipSnapshot({ ...l1, bridgeId, version, stage });
  if (snapshot === undefined) return ok("snapshot", `stage ${stage} is finalized; L1 does not have its snapshot yet`);
  const compare = `Compare the scores: vipscore snapshot --stage ${stage}`;
  if (snapshot.total === total)
    return ok("snapshot", `L1 has stage ${stage} with the contract's total ${group(total)}`);
  return action(
    "snapshot",
    `L1's snapshot of stage ${stage} has the total ${group(snapshot.total)}, the contract ${group(total)}`,
    compare,
  );
}
