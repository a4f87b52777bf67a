import { InputError } from "@vipscore/core";
import { isMissingRoute, isNotFound, openRest, type Answer } from "@vipscore/core/wire";
import { findVipAddress, parseVipAddress } from "./vipAddress.ts";
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
 * @throws InputError `CONFIG_INVALID` if the URL or the address cannot be used, no address is known for the chain, or
 * the address has no VIP module; NodeError `NODE_UNREACHABLE`, `NODE_ERROR`, `NODE_BAD_RESPONSE` naming the field; the
 * signal's reason when aborted.
 * @example
 * const { stage, endsAt } = await readVipStage({ l1RestUrl: "https://rest.initia.xyz" });
 */
export async function readVipStage({ l1RestUrl, vipAddress, signal }: ReadVipStageOptions): Promise<VipStage> {
  const rest = openRest(l1RestUrl, { title: "REST URL of L1" });
  const named = vipAddress === undefined ? undefined : parseVipAddress(vipAddress);
  const block = await rest.get("/cosmos/base/tendermint/v1beta1/blocks/latest", readBlock, { signal });
  const { chainId, height, time } = block;
  const vip = findVipAddress(chainId, named);
  const { address } = vip;
  const path = `/initia/move/v1/accounts/${address}/resources/by_struct_tag`;
  const query = { struct_tag: `${address}::vip::ModuleStore` };
  const store = await rest.get(path, readModuleStore, { query, height, signal }).catch((error: unknown) => {
    if (!isNotFound(error) && !isMissingRoute(error)) throw error;
    throw new InputError(`chain ${chainId} at ${rest.endpoint} has no VIP module at ${address}`, {
      code: "CONFIG_INVALID",
      metaMessages: ["Check that the REST URL is L1's, not the rollup's, and the module's address."],
      cause: error,
    });
  });
  return { ...block, ...store, vip, isOverdue: store.stage > 0n && store.endsAt < time };
}

function readBlock(answer: Answer): Pick<VipStage, "chainId" | "height" | "time"> {
  const header = answer.field("block").field("header");
  return {
    chainId: header.field("chain_id").text(),
    height: header.field("height").u64(),
    time: header.field("time").isoTime(),
  };
}

type ModuleStore = Pick<VipStage, "stage" | "startsAt" | "endsAt" | "intervalSeconds" | "parameters">;

function readModuleStore(answer: Answer): ModuleStore {
  const resource = answer.field("resource").field("move_resource").json();
  const type = resource.field("type");
  if (!type.text().endsWith("::vip::ModuleStore")) type.unreadable("that of VIP's ModuleStore");
  const data = resource.field("data");
  const startsAt = data.field("stage_start_time").unixTime();
  const endsAt = data.field("stage_end_time").unixTime();
  if (endsAt < startsAt) data.field("stage_end_time").unreadable("after stage_start_time");
  return {
    stage: data.field("stage").u64(),
    startsAt,
    endsAt,
    intervalSeconds: data.field("stage_interval").u64(),
    parameters: readParameters(data),
  };
}

function readParameters(data: Answer): VipParameters {
  return {
    challengePeriodSeconds: data.field("challenge_period").u64(),
    vestingPeriodStages: data.field("vesting_period").u64(),
    minimumScoreRatio: data.field("minimum_score_ratio").decimal(),
    minimumLockStakingPeriodSeconds: data.field("minimum_lock_staking_period").u64(),
    poolSplitRatio: data.field("pool_split_ratio").decimal(),
    maximumTvlRatio: data.field("maximum_tvl_ratio").decimal(),
    minimumEligibleTvl: data.field("minimum_eligible_tvl").u64(),
    maximumWeightRatio: data.field("maximum_weight_ratio").decimal(),
  };
}
