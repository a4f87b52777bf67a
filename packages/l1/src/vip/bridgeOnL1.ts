import { inParallel } from "@vipscore/core/wire";
import { readVoteRules, rewardDenomOf } from "../proposal/readVoteRules.ts";
import { openVip, readHandle, type VipOptions } from "./openVip.ts";
import { readVipBridges, registrationsOf, type VipBridge } from "./readVipBridges.ts";
import { challengeEnd, findSnapshot, type VipSnapshot } from "./readVipSnapshot.ts";
import { readVipStage, type VipStage } from "./readVipStage.ts";
import { findFundedReward } from "./rewards.ts";

/** What L1 has of an ended stage of a registration. */
export interface StageOnL1 {
  readonly bridge: VipBridge;
  readonly stage: bigint;
  /** Undefined before VIP's agent submits it, and after a challenge removed it. */
  readonly snapshot: VipSnapshot | undefined;
  /** What the stage was funded with for the users, in the smallest unit; undefined if L1 has not funded it. */
  readonly users: bigint | undefined;
}

/** What the claims of a bridge's users depend on, at the height of one block. */
export interface BridgeOnL1 {
  readonly bridgeId: bigint;
  readonly current: VipStage;
  /** The token of the rewards. */
  readonly denom: string;
  /** The oldest first. */
  readonly registrations: readonly VipBridge[];
  /** Of every registration, in ascending order. */
  readonly stages: readonly StageOnL1[];
}

/** Stages that are read side by side. */
const width = 5;

/**
 * Reads what the claims of a bridge's users depend on, besides the users themselves, at the height of the newest block.
 *
 * @param known An earlier answer: what can no longer change is not read again, as a snapshot after its challenge period.
 * @throws InputError `CONFIG_INVALID`; NodeError, like `readVipStage`; the signal's reason when aborted.
 */
export async function readBridgeOnL1(
  options: VipOptions & Pick<BridgeOnL1, "bridgeId">,
  known?: BridgeOnL1,
): Promise<BridgeOnL1> {
  const { bridgeId } = options;
  const current = await readVipStage(options);
  const at = { ...options, block: current };
  const registrations = registrationsOf(await readVipBridges(at), bridgeId);
  const denom = known?.denom ?? rewardDenomOf(await readVoteRules(at));
  const reader = await openVip(at);
  const table = await reader.readModuleStore((data) => readHandle(data.field("stage_data")));
  const read = async (wanted: Pick<StageOnL1, "bridge" | "stage">): Promise<StageOnL1> => {
    const { bridge, stage } = wanted;
    const before = known?.stages.find((each) => each.stage === stage && each.bridge.version === bridge.version);
    if (before !== undefined && known !== undefined && isFinal(before, current, known.current.time))
      return { ...before, bridge };
    const [snapshot, users] = await Promise.all([
      findSnapshot(reader, table, { ...bridge, stage }),
      findFundedReward(reader, table, bridgeId, stage, "user_funded_rewards"),
    ]);
    return { ...wanted, snapshot, users };
  };
  const ended = registrations.flatMap((bridge) => endedStages(bridge, current).map((stage) => ({ bridge, stage })));
  return { bridgeId, current, denom, registrations, stages: await inParallel(ended, width, read) };
}

function endedStages({ initStage, endStage }: VipBridge, { stage: current }: VipStage): readonly bigint[] {
  const end = endStage !== undefined && endStage < current ? endStage + 1n : current;
  return Array.from({ length: Math.max(Number(end - initStage), 0) }, (_, index) => initStage + BigInt(index));
}

/** True if nothing could change a stage any more when it was read. Governance can make the challenge period longer. */
function isFinal({ snapshot, users }: StageOnL1, current: VipStage, readAt: Date): boolean {
  return snapshot !== undefined && users !== undefined && challengeEnd(snapshot, current) < readAt;
}
