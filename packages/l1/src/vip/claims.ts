import { InputError, VipError, type Account, type Hint } from "@vipscore/core";
import { formatTime, group } from "@vipscore/core/values";
import { parseRatio } from "../bcs/bcsType.ts";
import type { OpenL1 } from "../proposal/checkVote.ts";
import type { ClaimedStage } from "../proposal/vipCall.ts";
import { registrationAt, registrationsOf, type VipBridge, type VipBridges } from "./readVipBridges.ts";
import { challengeEnd, isChallengeable } from "./readVipSnapshot.ts";
import { readFundedRewards, readUserClaims, type UserClaims, type UserVesting } from "./rewards.ts";
import {
  compareSnapshot,
  comparisonText,
  requireMatch,
  type ComputedSnapshot,
  type RollupOnL1,
} from "./snapshotOnL1.ts";

/** Where a stage is claimed on L1: a proof is good for no other version. */
export interface ClaimTarget {
  readonly chainId: string;
  /** Address of the module `vip`. */
  readonly vipAddress: string;
  readonly version: bigint;
}

/** Returns where a stage is claimed; undefined if L1 takes it for no registration of the bridge. */
export function claimTarget({ bridge, current }: RollupOnL1, stage: bigint): ClaimTarget | undefined {
  if (registrationAt([bridge], stage) === undefined) return undefined;
  return { chainId: current.chainId, vipAddress: current.vip.address, version: bridge.version };
}

/** Returns the first field in which two targets differ; undefined if they are the same. */
export function otherTargetField(one: ClaimTarget, other: ClaimTarget | undefined): keyof ClaimTarget | undefined {
  return (["chainId", "vipAddress", "version"] as const).find((field) => one[field] !== other?.[field]);
}

/**
 * Checks that a file names where L1 takes claims of its stage. A file without it, written before L1 was known, passes.
 *
 * @throws VipError `PROOF_INVALID`.
 */
export function requireTarget(
  file: string,
  { stage, target }: { readonly stage: bigint; readonly target: ClaimTarget | undefined },
  onL1: ClaimTarget | undefined,
): void {
  const wrong = target && otherTargetField(target, onL1);
  if (wrong === undefined) return;
  throw new VipError(
    `${file} names ${wrong} ${target?.[wrong]}, and L1 takes stage ${stage} ${onL1 === undefined ? "for no registration" : `for ${onL1[wrong]}`}`,
    {
      code: "PROOF_INVALID",
      metaMessages: [
        {
          code: "rewrite-proofs",
          text: "A claim of another version or on another chain fails. Write the file again.",
        },
      ],
    },
  );
}

/** A stage to claim, according to its proof file. */
export interface ClaimFromFile extends ClaimedStage, ComputedSnapshot {
  readonly file: string;
  readonly bridgeId: bigint;
  readonly target: ClaimTarget;
}

/**
 * Gas of a claim. On the local L1 it takes some 110,000, and 13,000 for each stage; the public ones have more bridges to look
 * through.
 */
const gasOf = { claim: 1_000_000n, stage: 50_000n };

/** Returns a gas limit for the claim of so many stages. */
export function claimGas(stages: number): bigint {
  return gasOf.claim + gasOf.stage * BigInt(stages);
}

/** The reward of a stage, which vests with later claims. */
export interface StageReward {
  readonly stage: bigint;
  readonly score: bigint;
  readonly reward: bigint;
  /** The most that the claim of a later stage pays of it. */
  readonly part: bigint;
  /** The score of a later stage that is enough for the whole part. */
  readonly minimumScore: bigint;
  /** The stage whose claim pays the last part. */
  readonly endStage: bigint;
  /** What the claim of the stage pays, of the rewards of earlier stages. */
  readonly paid: bigint;
  /** What it loses of them for good, because the score is below their minimum. */
  readonly lost: bigint;
  /** What of the reward is never paid, because L1 takes no snapshot after the last stage of a registration that has ended. */
  readonly unpaid: bigint;
}

/**
 * Checks that L1 takes the claim of consecutive stages: of this chain, module and version, with L1's roots, after the challenge
 * period, and as the account's next stages.
 *
 * @param l1 With the token of the rewards.
 * @param claims In ascending order, at least one.
 * @param isRange Whether the first stage was named, so that the claim may give up stages before it, with a warning.
 * @throws VipError `PROOF_INVALID`, `SNAPSHOT_DIFFERS`, `CLAIM_INVALID`; InputError `INPUT_INVALID` if the first claim would
 * give up stages; NodeError.
 */
export async function checkClaims(
  l1: Pick<VipBridges, "bridges" | "ended"> & OpenL1 & { readonly denom: string },
  claims: readonly [ClaimFromFile, ...ClaimFromFile[]],
  { account, isRange }: { readonly account: Account; readonly isRange: boolean },
): Promise<{ readonly rewards: readonly StageReward[]; readonly warnings: readonly string[] }> {
  const { options, current } = l1;
  const [first] = claims;
  const { bridgeId } = first;
  const bridge = registrationAt(registrationsOf(l1, bridgeId), first.stage);
  if (bridge === undefined) throw invalidClaim(`no registration of bridge ${bridgeId} includes stage ${first.stage}`);
  const found = { options, bridge, current };
  for (const claim of claims) requireTarget(claim.file, claim, claimTarget(found, claim.stage));
  const claimed = await readUserClaims({ ...options, bridgeId, version: bridge.version, account });
  const warnings = checkNext(found, first.stage, claimed, { account, isRange });
  for (const claim of claims) await checkClaimSnapshot(found, claim, claim === claims.at(-1));
  const funded = await readFundedRewards({ ...options, bridgeId, stages: claims.map(({ stage }) => stage) });
  const fundedClaims = claims.map((claim) => {
    const users = funded.find(({ stage }) => stage === claim.stage)?.users;
    if (users === undefined) throw invalidClaim(unfundedText(claim.stage, bridgeId));
    return { ...claim, users };
  });
  const { rewards } = claimRewards(fundedClaims, claimed?.vestings ?? [], found);
  const never = neverPaidText(bridge, rewards, l1.denom);
  return { rewards, warnings: never === undefined ? warnings : [...warnings, never] };
}

/** Says how much of some rewards is never paid; undefined if all is. */
export function neverPaidText(
  { endStage }: Pick<VipBridge, "endStage">,
  rewards: readonly { readonly unpaid: bigint }[],
  denom: string,
): string | undefined {
  const unpaid = rewards.reduce((sum, reward) => sum + reward.unpaid, 0n);
  if (endStage === undefined || unpaid === 0n) return undefined;
  return `the registration has ended with stage ${endStage}, and L1 takes no later snapshot: ${group(unpaid)} ${denom} of these rewards are never paid`;
}

/** Checks that the stages follow those that the account has claimed. */
function checkNext(
  { bridge: { initStage } }: RollupOnL1,
  first: bigint,
  claims: UserClaims | undefined,
  { account, isRange }: { readonly account: Account; readonly isRange: boolean },
): readonly string[] {
  const claimed = claims?.lastClaimedStage;
  const next = claimed === undefined ? initStage : claimed + 1n;
  if (first === next) return [];
  if (claimed !== undefined) {
    throw first < next
      ? invalidClaim(`${account} has claimed stage ${first} already`, {
          code: "claim-next",
          stage: next,
          text: `Its next stage is ${next}: claim from it on.`,
        })
      : invalidClaim(
          `${account} has not claimed stage ${next} yet`,
          "Add its proof file: L1 takes no stage before it.",
        );
  }
  const given = `a first claim from stage ${first} on gives up the stages from ${initStage} to ${first - 1n}`;
  if (isRange) return [given];
  throw new InputError(given, {
    metaMessages: [
      {
        code: "skip-stages",
        text: "Add their proof files, or name the stages to claim if the account has no score in these.",
      },
    ],
  });
}

async function checkClaimSnapshot(found: RollupOnL1, claim: ClaimFromFile, isLast: boolean): Promise<void> {
  const comparison = await compareSnapshot(found, claim);
  requireMatch(comparison, claim);
  if (comparison.onL1 === undefined) {
    throw invalidClaim(`L1's snapshot of stage ${claim.stage} is ${comparisonText(comparison, claim)}`);
  }
  if (isLast && isChallengeable(comparison.onL1, found.current))
    throw invalidClaim(waitText(claim.stage, challengeEnd(comparison.onL1, found.current)));
}

/** Says that a stage cannot be claimed yet. */
export function waitText(stage: bigint, challengeEnds: Date): string {
  return `stage ${stage} can be claimed after its challenge period, which ends at ${formatTime(challengeEnds)}`;
}

/** Says that L1 refuses the claims of a stage. */
export function unfundedText(stage: bigint, bridgeId: bigint): string {
  return `L1 has not funded stage ${stage} for bridge ${bridgeId}`;
}

/** A score to claim, and what L1 has set aside for all of its stage. */
export interface FundedScore {
  readonly stage: bigint;
  readonly score: bigint;
  /** Sum of all scores of the stage. */
  readonly total: bigint;
  /** In the smallest unit. */
  readonly users: bigint;
}

/** Returns what the claim of stages, in ascending order, opens, pays and loses, and what each reward then is. */
export function claimRewards(
  claims: readonly FundedScore[],
  vestings: readonly UserVesting[],
  found: Pick<RollupOnL1, "bridge" | "current">,
): {
  readonly rewards: readonly StageReward[];
  readonly vestings: readonly (UserVesting & { readonly paid: bigint })[];
} {
  let open = vestings.map((vesting) => ({ ...vesting, paid: 0n }));
  const rewards = claims.map((claim) => {
    const reward = rewardOf(claim, found);
    const { paid, lost, left } = vest(open, claim);
    open = [...left, { ...reward, remaining: reward.reward, paid: 0n }];
    return { ...reward, paid, lost };
  });
  return { rewards, vestings: open };
}

/** Returns what a claim opens, by the rule of `batch_claim_user_reward`. */
export function rewardOf(
  { stage, score, total, users }: FundedScore,
  { bridge, current: { parameters } }: Pick<RollupOnL1, "bridge" | "current">,
): Omit<StageReward, "paid" | "lost"> {
  const { vestingPeriodStages: period, minimumScoreRatio } = parameters;
  const endStage = stage + period;
  const reward = total === 0n ? 0n : (users * score) / total;
  const ratio = parseRatio(minimumScoreRatio) ?? 0n;
  const part = period === 0n ? 0n : reward / period;
  const last = bridge.endStage ?? endStage;
  return {
    stage,
    score,
    reward,
    part,
    minimumScore: (ratio * score) / 10n ** 18n,
    endStage,
    unpaid: last < endStage ? reward - part * (last - stage) : 0n,
  };
}

/**
 * Returns what the claim of a stage pays and loses of earlier rewards, by the rule of `batch_claim_user_reward`: it takes a part
 * of each, and pays it in proportion to the score below the minimum.
 */
function vest(
  vestings: readonly (UserVesting & { readonly paid: bigint })[],
  { stage, score }: Pick<FundedScore, "stage" | "score">,
) {
  let [paid, lost] = [0n, 0n];
  const left = vestings.map((vesting) => {
    const { part, remaining, minimumScore, endStage } = vesting;
    const due = part < remaining ? part : remaining;
    const earned = score >= minimumScore ? part : (part * score) / minimumScore;
    const vested = earned < due ? earned : due;
    // The division into parts leaves a rest.
    const rest = stage === endStage ? remaining - due : 0n;
    paid += vested + rest;
    lost += due - vested;
    return { ...vesting, remaining: remaining - due - rest, paid: vesting.paid + vested + rest };
  });
  return { paid, lost, left };
}

function invalidClaim(message: string, ...metaMessages: readonly (string | Hint)[]): VipError {
  return new VipError(message, { code: "CLAIM_INVALID", metaMessages });
}
