import { InputError } from "@vipscore/core";
import { isMissingRoute, isNotFound, openRest, type RestClient } from "@vipscore/core/http";
import { AnswerFields } from "../answerFields.ts";
import { findVipAddress, parseVipAddress, type VipAddress } from "./vipAddress.ts";
import type { VipParameters, VipStage } from "./vipStage.ts";

export interface ReadVipStageOptions {
  /** REST endpoint of L1, e.g. `https://rest.initia.xyz`. */
  readonly l1RestUrl: string;
  /** Address of the module `vip` in hex or bech32; not needed for the public networks. */
  readonly vipAddress?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads VIP's current stage, its times and its parameters from the resource `ModuleStore` of L1's module `vip`, at the
 * height of the newest block.
 *
 * @throws InputError `CONFIG_INVALID` when the URL or the address cannot be used, no address is known for the chain, or no
 * VIP module is there; NodeError `NODE_UNREACHABLE`, `NODE_ERROR`, `NODE_BAD_RESPONSE` naming the field; the signal's reason
 * when aborted.
 * @example
 * const { stage, endsAt } = await readVipStage({ l1RestUrl: "https://rest.initia.xyz" });
 */
export async function readVipStage({ l1RestUrl, vipAddress, signal }: ReadVipStageOptions): Promise<VipStage> {
  const rest = openRest(l1RestUrl, { title: "REST URL of L1" });
  const named = vipAddress === undefined ? undefined : parseVipAddress(vipAddress);
  const { chainId, height, time } = await readNewestBlock(rest, signal);
  const vip = findVipAddress(chainId, named);
  const fields = await readModuleStore(rest, { chainId, vip, height, signal });
  const stage = fields.u64("stage");
  const startsAt = fields.unixTime("stage_start_time");
  const endsAt = fields.unixTime("stage_end_time");
  if (endsAt < startsAt) throw fields.impossible("stage_end_time", "after stage_start_time");
  return {
    chainId,
    vip,
    height,
    time,
    stage,
    startsAt,
    endsAt,
    isOverdue: stage > 0n && endsAt < time,
    intervalSeconds: fields.u64("stage_interval"),
    parameters: parametersOf(fields),
  };
}

interface Block {
  readonly chainId: string;
  readonly height: bigint;
  readonly time: Date;
}

async function readNewestBlock(rest: RestClient, signal: AbortSignal | undefined): Promise<Block> {
  const path = "/cosmos/base/tendermint/v1beta1/blocks/latest";
  const answer = new AnswerFields(rest, "", await rest.get(path, { signal }));
  const header = answer.object("block").object("header");
  return { chainId: header.text("chain_id"), height: header.u64("height"), time: header.isoTime("time") };
}

interface Where {
  readonly chainId: string;
  readonly vip: VipAddress;
  readonly height: bigint;
  readonly signal: AbortSignal | undefined;
}

async function readModuleStore(rest: RestClient, { chainId, vip, height, signal }: Where): Promise<AnswerFields> {
  const { address } = vip;
  const path = `/initia/move/v1/accounts/${address}/resources/by_struct_tag`;
  const query = { struct_tag: `${address}::vip::ModuleStore` };
  let answer: unknown;
  try {
    answer = await rest.get(path, { query, height, signal });
  } catch (error) {
    if (!isNotFound(error) && !isMissingRoute(error)) throw error;
    throw new InputError(`chain ${chainId} at ${rest.endpoint} has no VIP module at ${address}`, {
      code: "CONFIG_INVALID",
      metaMessages: ["Check that the REST URL is L1's, not the rollup's, and the module's address."],
      cause: error,
    });
  }
  const resource = new AnswerFields(rest, "", answer).object("resource").jsonText("move_resource");
  if (!resource.text("type").endsWith("::vip::ModuleStore")) throw resource.impossible("type", "VIP's ModuleStore");
  return resource.object("data");
}

function parametersOf(fields: AnswerFields): VipParameters {
  return {
    challengePeriodSeconds: fields.u64("challenge_period"),
    vestingPeriodStages: fields.u64("vesting_period"),
    minimumScoreRatio: fields.decimal("minimum_score_ratio"),
    minimumLockStakingPeriodSeconds: fields.u64("minimum_lock_staking_period"),
    poolSplitRatio: fields.decimal("pool_split_ratio"),
    maximumTvlRatio: fields.decimal("maximum_tvl_ratio"),
    minimumEligibleTvl: fields.u64("minimum_eligible_tvl"),
    maximumWeightRatio: fields.decimal("maximum_weight_ratio"),
  };
}
