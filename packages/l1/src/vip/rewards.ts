import type { Account } from "@vipscore/core";
import type { Answer } from "@vipscore/core/wire";
import { bcsU64 } from "../bcs/bcsType.ts";
import { findEntry, keyOf, listEntries, openVip, readHandle, type VipOptions, type VipReader } from "./openVip.ts";
import type { VipBridge } from "./readVipBridges.ts";
import { awaitAgent, removedText } from "./snapshotOnL1.ts";
import { findSnapshotStages, type SnapshotStages } from "./snapshotStages.ts";
import { findVestingStore } from "./vestingStore.ts";

/** Options of {@link readFundedRewards}. */
export interface ReadFundedRewardsOptions extends VipOptions, Pick<VipBridge, "bridgeId"> {
  readonly stages: readonly bigint[];
}

/** What L1 set aside for a bridge when a stage began. */
export interface FundedReward {
  readonly stage: bigint;
  /** The users' part, in the smallest unit; 0 for a bridge that held less than VIP's minimum, or without any weight. */
  readonly users: bigint;
}

/**
 * Reads what stages were funded with for the users of a bridge, at the height of the newest block. Leaves out stages that
 * L1 has not funded for this bridge.
 *
 * @throws InputError `CONFIG_INVALID`; NodeError, like `readVipStage`; the signal's reason when aborted.
 */
export async function readFundedRewards(options: ReadFundedRewardsOptions): Promise<readonly FundedReward[]> {
  const { bridgeId, stages } = options;
  const reader = await openVip(options);
  const table = await reader.readModuleStore((data) => readHandle(data.field("stage_data")));
  const read = async (stage: bigint): Promise<FundedReward | undefined> => {
    const users = await findFundedReward(reader, table, bridgeId, stage, "user_funded_rewards");
    return users === undefined ? undefined : { stage, users };
  };
  return (await Promise.all(stages.map(read))).filter((reward) => reward !== undefined);
}

/** The reward of a stage that an account has claimed, as far as it is not paid. */
export interface UserVesting {
  readonly stage: bigint;
  /** What the claim of the stage opened. */
  readonly reward: bigint;
  /** The most that the claim of a later stage takes of it. */
  readonly part: bigint;
  readonly remaining: bigint;
  /** The score of a later stage that is enough for the whole part. */
  readonly minimumScore: bigint;
  /** The stage whose claim pays the rest. */
  readonly endStage: bigint;
}

/** What an account has claimed of a registration. */
export interface UserClaims {
  /** Its next claim starts with the stage after it. */
  readonly lastClaimedStage: bigint;
  readonly vestings: readonly UserVesting[];
}

/** Reads what an account has claimed of a registration, at the newest block; undefined before its first claim. */
export async function readUserClaims(
  options: VipOptions & Pick<VipBridge, "bridgeId" | "version"> & { readonly account: Account },
): Promise<UserClaims | undefined> {
  const reader = await openVip(options);
  const store = await findVestingStore(reader, options, options.account);
  if (store === undefined) return undefined;
  const { lastClaimedStage, vestings } = store;
  return { lastClaimedStage, vestings: await listEntries(reader, vestings, (_, value) => readUserVesting(value)) };
}

function readUserVesting(value: Answer): UserVesting {
  return {
    stage: value.field("start_stage").u64(),
    reward: value.field("initial_reward").u64(),
    part: value.field("vest_max_amount").u64(),
    remaining: value.field("remaining_reward").u64(),
    minimumScore: value.field("minimum_score").u64(),
    endStage: value.field("end_stage").u64(),
  };
}

/** A registration of a bridge. */
export interface ReadOperatorRewardsOptions
  extends VipOptions, Pick<VipBridge, "bridgeId" | "version" | "initStage" | "endStage"> {
  /** Its snapshots at the same block. Default: asks L1. */
  readonly stages?: SnapshotStages | undefined;
}

/**
 * The operator's reward of a stage, in the smallest unit. The claim after the stage's snapshot opens its vesting; then each
 * snapshot of a later stage releases an equal part.
 */
export interface OperatorReward {
  readonly stage: bigint;
  readonly reward: bigint;
  readonly paid: bigint;
  /** What a claim pays now. */
  readonly due: bigint;
  /** The stage whose snapshot releases the last part. */
  readonly endStage: bigint;
  /** What is never paid, because L1 takes no snapshot after the last stage of a registration that has ended. */
  readonly unpaid: bigint;
  /** An earlier claim opened the vesting. */
  readonly isVesting: boolean;
}

/** The operator's rewards of a registration that were not paid in full. */
export interface OperatorRewards {
  readonly rewards: readonly OperatorReward[];
  /** A stage with a snapshot that L1 has not funded for the bridge, so that it refuses every claim; undefined without one. */
  readonly unfundedStage: bigint | undefined;
  /** A stage whose snapshot a challenge removed, so that L1 refuses every claim until there is another; undefined without one. */
  readonly removedStage: bigint | undefined;
  /** The newest stage with a snapshot. */
  readonly newest: bigint;
  /** A claim would pay, or open the vesting of a stage. */
  readonly isClaimable: boolean;
}

/**
 * Reads the rewards that the operator of a registration has not been paid in full, of every stage with a snapshot, at the
 * height of the newest block.
 *
 * @throws InputError `CONFIG_INVALID`; NodeError, like `readVipStage`; the signal's reason when aborted.
 */
export async function readOperatorRewards(options: ReadOperatorRewardsOptions): Promise<OperatorRewards> {
  const { initStage, endStage } = options;
  const reader = await openVip(options);
  const store = await findVestingStore(reader, options, undefined);
  const { newest: last, removed } = options.stages ?? (await findSnapshotStages(reader, options));
  const complete = (vesting: OpenReward): OperatorReward => {
    const { reward, paid } = vesting;
    const unpaid = endStage === undefined ? 0n : reward - releasedAt(vesting, endStage);
    return { ...vesting, due: releasedAt(vesting, last) - paid, unpaid };
  };
  const open = store === undefined ? [] : await listEntries(reader, store.vestings, (_, value) => readVesting(value));
  const first = store === undefined || store.lastClaimedStage === 0n ? initStage : store.lastClaimedStage + 1n;
  const { unclaimed, unfundedStage } = await readUnclaimed(reader, options.bridgeId, { first, last });
  const rewards = [...open, ...unclaimed].map(complete);
  const removedStage = removed.find((stage) => stage >= first);
  const isRefused = unfundedStage !== undefined || removedStage !== undefined;
  const isClaimable =
    !isRefused &&
    rewards.some(
      ({ due, isVesting, reward, unpaid }) => due > 0n || (!isVesting && (unpaid === 0n || unpaid < reward)),
    );
  return { rewards, unfundedStage, removedStage, newest: last, isClaimable };
}

type OpenReward = Omit<OperatorReward, "due" | "unpaid">;

/** Why L1 refuses every claim of the operator of a registration, and what changes that; undefined if it does not refuse. */
export function refusalOf({
  unfundedStage,
  removedStage,
  newest,
}: OperatorRewards): { readonly text: string; readonly advice: string } | undefined {
  if (unfundedStage !== undefined) {
    const advice = "Ask those who run VIP: only its module can fund the stage.";
    return { text: `L1 has not funded stage ${unfundedStage}, and refuses every claim of this version`, advice };
  }
  return removedStage === undefined ? undefined : { text: removedText(removedStage, newest), advice: awaitAgent };
}

/** Reads the rewards of stages that the next claim opens. */
async function readUnclaimed(
  reader: VipReader,
  bridgeId: bigint,
  { first, last }: { readonly first: bigint; readonly last: bigint },
): Promise<{ readonly unclaimed: readonly OpenReward[] } & Pick<OperatorRewards, "unfundedStage">> {
  const { period, table } = await reader.readModuleStore((data) => ({
    period: data.field("vesting_period").u64(),
    table: readHandle(data.field("stage_data")),
  }));
  const count = last < first ? 0 : Number(last - first) + 1;
  const stages = Array.from({ length: count }, (_, index) => first + BigInt(index));
  const read = async (stage: bigint): Promise<OpenReward | undefined> => {
    const reward = await findFundedReward(reader, table, bridgeId, stage, "operator_funded_rewards");
    return reward === undefined ? undefined : { stage, reward, paid: 0n, endStage: stage + period, isVesting: false };
  };
  const found = await Promise.all(stages.map(read));
  return { unclaimed: found.filter((reward) => reward !== undefined), unfundedStage: stages[found.indexOf(undefined)] };
}

function readVesting(value: Answer): OpenReward {
  const reward = value.field("initial_reward").u64();
  return {
    stage: value.field("start_stage").u64(),
    reward,
    paid: reward - value.field("remaining_reward").u64(),
    endStage: value.field("end_stage").u64(),
    isVesting: true,
  };
}

/** Returns what the snapshots until the stage `last` release, by the rule of `batch_claim_operator_reward`. */
function releasedAt({ stage, reward, endStage }: OpenReward, last: bigint): bigint {
  return last >= endStage ? reward : (reward * (last - stage)) / (endStage - stage);
}

/** Reads a part of what a stage was funded with for a bridge, from the table of stages; undefined if L1 has not funded it. */
export async function findFundedReward(
  reader: VipReader,
  table: string,
  bridgeId: bigint,
  stage: bigint,
  part: "user_funded_rewards" | "operator_funded_rewards",
): Promise<bigint | undefined> {
  const rewards = await findEntry(reader, table, keyOf(stage), (data) => readHandle(data.field(part)));
  if (rewards === undefined) return undefined;
  return findEntry(reader, rewards, bcsU64.encode(bridgeId), (value) => value.u64());
}
