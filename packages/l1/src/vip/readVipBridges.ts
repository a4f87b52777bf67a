import { VipError, type ContractIdentity, type Vm } from "@vipscore/core";
import type { Answer } from "@vipscore/core/wire";
import { openVip, type L1Block, type VipOptions } from "./openVip.ts";
import { parseMoveAddress, type VipAddress } from "./vipAddress.ts";

/** A rollup that is registered with VIP. */
export interface VipBridge {
  readonly bridgeId: bigint;
  /** Counts registrations of the bridge, from 1. */
  readonly version: bigint;
  /** The first stage of which L1 expects a snapshot. */
  readonly initStage: bigint;
  /** The scoring contract on the rollup, as the proposal spelled it. */
  readonly scoreContract: string;
  /** The rollup's VM; undefined for a type that was unknown when this was written. */
  readonly vm: Vm | undefined;
  /** Who operates the rollup, as L1 spells it. */
  readonly operatorAddress: string;
  /** The bridge's account on L1, as L1 spells it. */
  readonly bridgeAddress: string;
}

/** The registered rollups at one height. */
export interface VipBridges extends L1Block {
  readonly vip: VipAddress;
  readonly bridges: readonly VipBridge[];
}

/** The VMs by their numbers in the module: 0 Move, 1 Wasm, 2 EVM. */
export const vipVms: readonly Vm[] = ["move", "wasm", "evm"];

/**
 * Reads the rollups that are registered with VIP (view `get_bridge_infos` of L1's module `vip`), at the height of the
 * newest block.
 *
 * @throws InputError `CONFIG_INVALID`; NodeError, like `readVipStage`; the signal's reason when aborted.
 * @example
 * const { bridges } = await readVipBridges({ l1RestUrl: "https://rest.initia.xyz" });
 */
export async function readVipBridges(options: VipOptions): Promise<VipBridges> {
  const { block, vip, rest, at, readModuleStore } = await openVip(options);
  // The VM's words for a missing module differ from node to node; this read names the address.
  await readModuleStore((data) => data.object());
  const view = {
    address: vip.address,
    module_name: "vip",
    function_name: "get_bridge_infos",
    type_args: [],
    args: [],
  };
  const bridges = await rest.query("/initia/move/v1/view/json", view, readBridges, at);
  return { ...block, vip, bridges };
}

function readBridges(answer: Answer): readonly VipBridge[] {
  return answer
    .field("data")
    .json()
    .elements()
    .map((bridge) => ({
      bridgeId: bridge.field("bridge_id").u64(),
      version: bridge.field("version").u64(),
      initStage: bridge.field("init_stage").u64(),
      scoreContract: bridge.field("vip_l2_score_contract").text(),
      vm: vipVms[Number(bridge.field("vm_type").u64())],
      operatorAddress: bridge.field("operator_addr").text(),
      bridgeAddress: bridge.field("bridge_addr").text(),
    }));
}

/** Returns the bridges whose scoring contract this is, however its address is spelled. */
export function bridgesOf(
  bridges: readonly VipBridge[],
  { vm, address }: Pick<ContractIdentity, "vm" | "address">,
): readonly VipBridge[] {
  const wanted = canonical(address);
  return bridges.filter((bridge) => bridge.vm === vm && canonical(bridge.scoreContract) === wanted);
}

/** An address in one form; text that is not an address as it is. */
function canonical(text: string): string {
  try {
    return parseMoveAddress(text.trim());
  } catch (error) {
    if (VipError.isVipError(error)) return text;
    throw error;
  }
}

/** Returns the newest of some registrations: a bridge that is registered again gets the next version. */
export function newestBridge(bridges: readonly VipBridge[]): VipBridge | undefined {
  return bridges.toSorted((one, other) => Number(other.version - one.version))[0];
}
