import type { BridgeOnL1, StageOnL1 } from "./bridgeOnL1.ts";
import { claimRewards, rewardOf, unfundedText, waitText, type FundedScore, type StageReward } from "./claims.ts";
import type { VipBridge } from "./readVipBridges.ts";
import { challengeEnd, isChallengeable, type VipSnapshot } from "./readVipSnapshot.ts";
import type { UserClaims, UserVesting } from "./rewards.ts";
import { differsText, isSame, removedText, type ComputedSnapshot } from "./snapshotOnL1.ts";

/** An account's score in a finalized stage, and the snapshot of the stage that was computed from the contract. */
export interface OwnStage extends ComputedSnapshot {
  readonly score: bigint;
}

/**
 * Whether a stage with a snapshot can be claimed: `unknown` if its scores are, `differs` if the snapshot is not the one of these
 * scores, `challengeable` before the end of its challenge period.
 */
export type ClaimStatus = "claimed" | "open" | "challengeable" | "differs" | "unfunded" | "unknown";

/** A stage with a snapshot on L1, for one account. */
export interface PlannedStage {
  readonly stage: bigint;
  readonly status: ClaimStatus;
  readonly snapshot: VipSnapshot;
  readonly challengeEnds: Date;
  /** Undefined if the scores are not known. */
  readonly own: OwnStage | undefined;
  /** What its claim opens or has opened; undefined if that is not known. */
  readonly reward: Omit<StageReward, "paid" | "lost"> | undefined;
  /** What of the reward is neither paid nor lost. */
  readonly remaining: bigint;
  /** What the claim of {@link ClaimPlan} pays of it. */
  readonly paid: bigint;
}

/** What an account can claim of a registration, in one transaction. */
export interface ClaimPlan {
  readonly bridge: VipBridge;
  readonly lastClaimedStage: bigint | undefined;
  /** Those with a snapshot, in ascending order. */
  readonly stages: readonly PlannedStage[];
  /** What it claims, stage by stage; empty if there is nothing. */
  readonly rewards: readonly StageReward[];
  /** Why it claims no later stage; undefined if L1 has no later snapshot. */
  readonly waitsFor: string | undefined;
}

/**
 * Plans an account's claim: all stages that L1 takes, from its next one on. A first claim leaves out the first stages without a
 * score, in which it has nothing to give up.
 *
 * @param own The finalized stages whose scores are known.
 * @param claims What the account has claimed of the registration; undefined before its first claim.
 */
export function planClaim(
  found: BridgeOnL1,
  bridge: VipBridge,
  own: ReadonlyMap<bigint, OwnStage>,
  claims: UserClaims | undefined,
): ClaimPlan {
  const onL1 = found.stages.filter((each) => each.bridge.version === bridge.version);
  const newest = onL1.findLast(({ snapshot }) => snapshot !== undefined);
  const lastClaimedStage = claims?.lastClaimedStage;
  const toClaim: FundedScore[] = [];
  let waitsFor: string | undefined;
  for (const each of onL1) {
    const { stage } = each;
    if (newest === undefined || stage > newest.stage) break;
    if (lastClaimedStage !== undefined && stage <= lastClaimedStage) continue;
    waitsFor = whyNot(found, each, own.get(stage), newest.stage);
    if (waitsFor !== undefined) break;
    const { score = 0n, total = 0n } = own.get(stage) ?? {};
    const isLeftOut = lastClaimedStage === undefined && toClaim.length === 0 && score === 0n;
    if (!isLeftOut) toClaim.push({ stage, score, total, users: each.users ?? 0n });
  }
  const context = { bridge, current: found.current };
  const { rewards, vestings } = claimRewards(toClaim, claims?.vestings ?? [], context);
  const planned = onL1.flatMap((each): readonly PlannedStage[] => {
    const { snapshot, stage, users } = each;
    if (snapshot === undefined) return [];
    const ofStage = own.get(stage);
    const isClaimed = lastClaimedStage !== undefined && stage <= lastClaimedStage;
    const reward = ofStage && users !== undefined ? rewardOf({ ...ofStage, users }, context) : undefined;
    const before = claims?.vestings.find((vesting) => vesting.stage === stage);
    const remaining = isClaimed ? (before?.remaining ?? 0n) : (reward?.reward ?? 0n);
    return [
      {
        stage,
        status: isClaimed ? "claimed" : statusOf(found, each, ofStage),
        snapshot,
        challengeEnds: challengeEnd(snapshot, found.current),
        own: ofStage,
        // As L1 has it: its parameters may have changed since.
        reward: reward && before ? { ...reward, ...termsOf(before) } : reward,
        remaining,
        paid: vestings.find((vesting) => vesting.stage === stage)?.paid ?? 0n,
      },
    ];
  });
  return { bridge, lastClaimedStage, stages: planned, rewards, waitsFor };
}

function termsOf({ reward, part, minimumScore, endStage }: UserVesting) {
  return { reward, part, minimumScore, endStage };
}

/** The status of a stage that is not claimed. */
function statusOf({ current }: BridgeOnL1, { snapshot, users }: StageOnL1, own: OwnStage | undefined): ClaimStatus {
  if (own === undefined || snapshot === undefined) return "unknown";
  if (!isSame(snapshot, own)) return "differs";
  if (users === undefined) return "unfunded";
  return isChallengeable(snapshot, current) ? "challengeable" : "open";
}

/** Why L1 does not take the claim of a stage, or it is not known to; undefined if it takes it. */
function whyNot(found: BridgeOnL1, onL1: StageOnL1, own: OwnStage | undefined, newest: bigint): string | undefined {
  const { stage, snapshot } = onL1;
  if (snapshot === undefined) return removedText(stage, newest);
  const texts: Readonly<Record<ClaimStatus, string | undefined>> = {
    claimed: undefined,
    open: undefined,
    unknown: `the scores of stage ${stage} are not known here`,
    differs: differsText(stage),
    unfunded: unfundedText(stage, found.bridgeId),
    challengeable: waitText(stage, challengeEnd(snapshot, found.current)),
  };
  return texts[statusOf(found, onL1, own)];
}
