import { NodeError, VipError, type Account } from "@vipscore/core";
import { accountOf as accountOfHex } from "@vipscore/core/engine";
import { feeOf, unsignedTransactionJson } from "@vipscore/cosmos";
import {
  claimGas,
  claimRewardsCall,
  executeMessage,
  planClaim,
  readUserClaims,
  type ClaimPlan,
  type OwnStage,
  type PlannedStage,
  type VipBridge,
} from "@vipscore/l1";
import { readStoredProof, verifyProof, type StoredTree } from "@vipscore/snapshot";
import type { L1View, L1Watch } from "../follow/l1Watch.ts";
import { accountOf } from "./requestParameters.ts";
import type { ScoreIndex } from "./scoreIndex.ts";

/** What claims are made of. */
export interface ClaimSources {
  readonly index: ScoreIndex;
  readonly openTree: (stage: bigint) => StoredTree;
  readonly l1: L1Watch;
}

/** `accounts/{account}/claims`. */
export async function getClaims(sources: ClaimSources, spelled: string): Promise<string> {
  const { account, view, plans } = await planClaims(sources, spelled);
  const { current, bridgeId, denom } = view;
  return JSON.stringify({
    account,
    l1: {
      chain_id: current.chainId,
      height: Number(current.height),
      time: current.time,
      stage: String(current.stage),
      bridge_id: String(bridgeId),
      denom,
    },
    registrations: plans.map((plan) => planJson(view, plan, account)),
  });
}

/**
 * `vesting/positions/{address}`, as Initia's wallet kit reads it (its `data/initia-vip.ts`): integers are JSON numbers, rounded
 * from 2^53 on. The kit does not say what a stage's `start_time` is, nor whether what was lost counts as claimed; here the time is
 * that of the snapshot's submission, and it counts.
 */
export async function getVestingPositions(sources: ClaimSources, spelled: string): Promise<string> {
  const { view, plans } = await planClaims(sources, spelled);
  return JSON.stringify(plans.map((plan) => positionsJson(view, plan)));
}

type ProvedStage = PlannedStage & { readonly leaf: string | null; readonly proof: readonly string[] };
type ProvedPlan = Omit<ClaimPlan, "stages"> & { readonly stages: readonly ProvedStage[] };

/** Plans the claims of an account, of each registration of the bridge, the newest first. */
async function planClaims({ index, openTree, l1 }: ClaimSources, spelled: string) {
  const account = accountOfHex(accountOf(spelled));
  const { view } = l1;
  if (view === undefined) throw new NodeError("L1 has not shown the bridge yet", { code: "NODE_UNREACHABLE" });
  const own = await readOwnStages(index, view, account);
  const plan = async (bridge: VipBridge): Promise<ProvedPlan> => {
    const claimed = await readUserClaims({ ...l1.location, ...bridge, account });
    const planned = planClaim(view, bridge, own, claimed);
    const prove = (stage: PlannedStage) => proveStage(openTree, view, stage, account);
    return { ...planned, stages: await Promise.all(planned.stages.map(prove)) };
  };
  return { account, view, plans: await Promise.all(view.registrations.toReversed().map(plan)) };
}

/** Reads an account's scores in the finalized stages whose trees are stored. */
async function readOwnStages(
  index: ScoreIndex,
  { bridgeId, stages }: L1View,
  account: Account,
): Promise<ReadonlyMap<bigint, OwnStage>> {
  const own = new Map<bigint, OwnStage>();
  const scores = await index.read();
  if (scores?.bridgeId !== bridgeId) return own;
  for (const { stage, root, total } of scores.stages) {
    if (root === undefined || !stages.some((each) => each.stage === stage)) continue;
    const opened = await index.open(stage, scores);
    if (opened !== undefined)
      own.set(stage, { stage, total, root: root === "" ? undefined : root, score: opened.rows.get(account) ?? 0n });
  }
  return own;
}

async function proveStage(
  openTree: ClaimSources["openTree"],
  { bridgeId }: L1View,
  planned: PlannedStage,
  account: Account,
): Promise<ProvedStage> {
  const { own } = planned;
  if (own === undefined || own.score === 0n) return { ...planned, leaf: null, proof: [] };
  const { root = "", ...row } = own;
  const content = { ...row, bridgeId, account };
  const found = await readStoredProof(openTree(own.stage), content);
  if (found !== undefined && verifyProof({ ...content, ...found, root })) return { ...planned, ...found };
  throw new VipError(`the stored tree of stage ${own.stage} does not prove ${account}`, { code: "DATABASE_INVALID" });
}

function planJson(view: L1View, plan: ProvedPlan, account: Account) {
  const { bridge, lastClaimedStage, stages, rewards, waitsFor } = plan;
  return {
    version: String(bridge.version),
    first_stage: String(bridge.initStage),
    last_stage: textOrNull(bridge.endStage),
    last_claimed_stage: textOrNull(lastClaimedStage),
    stages: stages.toReversed().map(stageJson),
    claim: rewards.length === 0 ? null : claimJson(view, plan, account),
    waits_for: waitsFor ?? null,
  };
}

function stageJson({ stage, status, snapshot, challengeEnds, own, leaf, proof, reward, remaining }: ProvedStage) {
  return {
    stage: String(stage),
    status,
    score: textOrNull(own?.score),
    total: String(snapshot.total),
    root: snapshot.root,
    challenge_ends: challengeEnds,
    leaf,
    proof,
    reward: textOrNull(reward?.reward),
    part: textOrNull(reward?.part),
    minimum_score: textOrNull(reward?.minimumScore),
    end_stage: textOrNull(reward?.endStage),
    remaining: String(remaining),
  };
}

function claimJson(view: L1View, { bridge, stages, rewards }: ProvedPlan, account: Account) {
  const sum = (of: "paid" | "lost" | "reward" | "unpaid"): string =>
    String(rewards.reduce((total, reward) => total + reward[of], 0n));
  const claimed = rewards.map(({ stage, score }) => {
    const { proof = [] } = stages.find((each) => each.stage === stage) ?? {};
    return { stage, score, proof };
  });
  const call = claimRewardsCall(view.bridgeId, bridge.version, claimed);
  const gas = claimGas(rewards.length);
  const { gasPrice } = view;
  const fee = gasPrice && { denom: gasPrice.denom, amount: feeOf(gasPrice, gas) };
  return {
    stages: rewards.map(({ stage }) => String(stage)),
    pays: sum("paid"),
    loses: sum("lost"),
    opens: sum("reward"),
    never_paid: sum("unpaid"),
    transaction: unsignedTransactionJson({
      messages: [executeMessage(call, view.current.vip.address, account)],
      gas,
      fee,
    }),
  };
}

function positionsJson({ bridgeId }: L1View, { bridge, stages }: ProvedPlan) {
  const data = stages.map((each) => {
    const { stage, status, snapshot, own, proof, reward, remaining, paid } = each;
    const initial = reward?.reward ?? 0n;
    return {
      bridge_id: Number(bridgeId),
      version: Number(bridge.version),
      claimable_reward: Number(paid),
      claimed_reward: Number(initial - remaining),
      locked_reward: Number(remaining - paid),
      initial_reward: Number(initial),
      start_stage: Number(stage),
      end_stage: Number(reward?.endStage ?? stage),
      start_time: snapshot.createdAt.toISOString(),
      total_score: Number(snapshot.total),
      user_score: Number(own?.score ?? 0n),
      minimum_score: Number(reward?.minimumScore ?? 0n),
      claimed: status === "claimed",
      merkle_proofs: proof,
    };
  });
  const sum = (field: "claimable_reward" | "locked_reward" | "initial_reward"): number =>
    data.reduce((total, each) => total + each[field], 0);
  return {
    data,
    // Enough for every reward of which something is left.
    required_score: data.reduce(
      (most, each) => (each.locked_reward > 0 ? Math.max(most, each.minimum_score) : most),
      0,
    ),
    total_claimable_reward: sum("claimable_reward"),
    total_locked_reward: sum("locked_reward"),
    total_vesting_reward: sum("initial_reward"),
  };
}

function textOrNull(value: bigint | undefined): string | null {
  return value === undefined ? null : String(value);
}
