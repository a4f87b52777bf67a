import type { Account, Vm } from "@vipscore/core";
import { bcsAddress, bcsBytes, bcsList, bcsListSize, bcsRatio, bcsText, bcsU64, type BcsType } from "../bcs/bcsType.ts";
import { vipVms } from "../vip/readVipBridges.ts";
import type { Commission } from "../vip/readVipOperator.ts";
import type { ChallengeTerms } from "../vip/readVipSnapshot.ts";

/** A rollup as L1's module `vip` registers it. */
export interface Registration {
  readonly operator: Account;
  readonly bridgeId: bigint;
  /** The bridge's account on L1. */
  readonly bridgeAddress: Account;
  /** The scoring contract as the rollup spells it. */
  readonly scoreContract: string;
  readonly vm: Vm;
  readonly commission: Commission;
}

/** A snapshot that governance puts in the place of one of VIP's agent. */
export interface Challenge {
  readonly bridgeId: bigint;
  readonly stage: bigint;
  readonly title: string;
  readonly summary: string;
  /** In hex without `0x`; undefined if no account has a score. */
  readonly root: string | undefined;
  /** Sum of all scores. */
  readonly total: bigint;
  /** Number of the challenge, and the agent that submits the next snapshots. */
  readonly terms: ChallengeTerms;
}

/** A stage that an account claims; without a score its proof is empty. */
export interface ClaimedStage {
  readonly stage: bigint;
  readonly score: bigint;
  /** Hashes in hex, without `0x`. */
  readonly proof: readonly string[];
}

/** One argument of a call, with its meaning. */
export interface VipArgument {
  readonly name: string;
  /** The value read back from the bytes, for people. */
  readonly value: string;
}

/** An entry function of the module `vip` and its arguments in BCS. */
export interface VipCall {
  readonly functionName: string;
  readonly args: readonly Buffer[];
}

const bcsVmType: BcsType<bigint> = {
  ...bcsU64,
  show: (value) => `${value} (${vipVms[Number(value)] ?? "unknown"})`,
};

/** A hash of 32 bytes with its length. */
const hashSize = 33;
const bcsU64s = bcsList(bcsU64, () => 8);
const bcsProofs: BcsType<readonly (readonly Buffer[])[]> = {
  ...bcsList(
    bcsList(bcsBytes, () => hashSize),
    (rest) => bcsListSize(rest, hashSize),
  ),
  show: (proofs) => proofs.map(({ length }) => `${length} ${length === 1 ? "hash" : "hashes"}`).join(", "),
};

/** Parameters of the entry functions after the signer, from the module's source (github.com/initia-labs/vip-contract). */
const functions = {
  register: {
    operator: bcsAddress,
    bridge_id: bcsU64,
    bridge_address: bcsAddress,
    vip_l2_score_contract: bcsText,
    operator_commission_max_rate: bcsRatio,
    operator_commission_max_change_rate: bcsRatio,
    operator_commission_rate: bcsRatio,
    vm_type: bcsVmType,
  },
  update_l2_score_contract: { bridge_id: bcsU64, new_vip_l2_score_contract: bcsText },
  execute_challenge: {
    bridge_id: bcsU64,
    challenge_stage: bcsU64,
    challenge_id: bcsU64,
    title: bcsText,
    summary: bcsText,
    new_api_uri: bcsText,
    new_agent: bcsAddress,
    new_merkle_root: bcsBytes,
    new_l2_total_score: bcsU64,
  },
  update_operator_commission: { bridge_id: bcsU64, version: bcsU64, commission_rate: bcsRatio },
  update_operator: { bridge_id: bcsU64, new_operator_addr: bcsAddress },
  batch_claim_user_reward_script: {
    bridge_id: bcsU64,
    version: bcsU64,
    stages: bcsU64s,
    merkle_proofs: bcsProofs,
    l2_scores: bcsU64s,
  },
  batch_claim_operator_reward_script: { bridge_id: bcsU64, version: bcsU64 },
} as const;

/** Returns the call that registers a rollup. */
export function registerCall(registration: Registration): VipCall {
  const { operator, bridgeId, bridgeAddress, scoreContract, vm, commission } = registration;
  const types = functions.register;
  return {
    functionName: "register",
    args: [
      types.operator.encode(operator),
      types.bridge_id.encode(bridgeId),
      types.bridge_address.encode(bridgeAddress),
      types.vip_l2_score_contract.encode(scoreContract),
      types.operator_commission_max_rate.encode(commission.maxRate),
      types.operator_commission_max_change_rate.encode(commission.maxChangeRate),
      types.operator_commission_rate.encode(commission.rate),
      types.vm_type.encode(BigInt(vipVms.indexOf(vm))),
    ],
  };
}

/** Returns the call that replaces a rollup's scoring contract. */
export function updateContractCall(bridgeId: bigint, scoreContract: string): VipCall {
  const types = functions.update_l2_score_contract;
  return {
    functionName: "update_l2_score_contract",
    args: [types.bridge_id.encode(bridgeId), types.new_vip_l2_score_contract.encode(scoreContract)],
  };
}

/** Returns the call that replaces a snapshot. */
export function challengeCall({ bridgeId, stage, title, summary, root = "", total, terms }: Challenge): VipCall {
  const types = functions.execute_challenge;
  return {
    functionName: "execute_challenge",
    args: [
      types.bridge_id.encode(bridgeId),
      types.challenge_stage.encode(stage),
      types.challenge_id.encode(terms.challengeId),
      types.title.encode(title),
      types.summary.encode(summary),
      types.new_api_uri.encode(terms.apiUri),
      types.new_agent.encode(terms.agent),
      types.new_merkle_root.encode(Buffer.from(root, "hex")),
      types.new_l2_total_score.encode(total),
    ],
  };
}

/** Returns the operator's call that sets its commission. */
export function updateCommissionCall(bridgeId: bigint, version: bigint, rate: bigint): VipCall {
  const types = functions.update_operator_commission;
  return {
    functionName: "update_operator_commission",
    args: [types.bridge_id.encode(bridgeId), types.version.encode(version), types.commission_rate.encode(rate)],
  };
}

/** Returns the operator's call that hands its role to another account. */
export function updateOperatorCall(bridgeId: bigint, operator: Account): VipCall {
  const types = functions.update_operator;
  return {
    functionName: "update_operator",
    args: [types.bridge_id.encode(bridgeId), types.new_operator_addr.encode(operator)],
  };
}

/** Returns an account's call that claims its rewards of consecutive stages, in ascending order. */
export function claimRewardsCall(bridgeId: bigint, version: bigint, stages: readonly ClaimedStage[]): VipCall {
  const types = functions.batch_claim_user_reward_script;
  return {
    functionName: "batch_claim_user_reward_script",
    args: [
      types.bridge_id.encode(bridgeId),
      types.version.encode(version),
      types.stages.encode(stages.map(({ stage }) => stage)),
      types.merkle_proofs.encode(stages.map(({ proof }) => proof.map((hash) => Buffer.from(hash, "hex")))),
      types.l2_scores.encode(stages.map(({ score }) => score)),
    ],
  };
}

/** Returns the operator's call that claims its rewards of every stage with a snapshot. */
export function claimOperatorRewardsCall(bridgeId: bigint, version: bigint): VipCall {
  const types = functions.batch_claim_operator_reward_script;
  return {
    functionName: "batch_claim_operator_reward_script",
    args: [types.bridge_id.encode(bridgeId), types.version.encode(version)],
  };
}

/** Returns what the arguments of a call mean, read from their bytes. Throws a RangeError for bytes of other types. */
export function describeCall({ functionName, args }: VipCall): readonly VipArgument[] {
  const types = Object.entries(functions).find(([name]) => name === functionName)?.[1];
  const parameters = types === undefined ? [] : Object.entries(types);
  if (types === undefined || parameters.length !== args.length) {
    throw new RangeError(`${functionName} with ${args.length} arguments is not a known call of the module vip`);
  }
  return args.map((bytes, index) => {
    const [name, type] = parameters[index] ?? [];
    if (name === undefined || type === undefined) throw new RangeError(`${functionName} has no argument ${index}`);
    return { name, value: showArgument<unknown>(type, bytes) };
  });
}

function showArgument<T>(type: BcsType<T>, bytes: Buffer): string {
  return type.show(type.decode(bytes));
}
