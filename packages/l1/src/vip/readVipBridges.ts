import { VipError, type ContractIdentity, type Vm } from "@vipscore/core";
import type { Answer } from "@vipscore/core/wire";
import { listEntries, openVip, readHandle, readRatio, type L1Block, type VipOptions } from "./openVip.ts";
import { parseMoveAddress, type VipAddress } from "./vipAddress.ts";

/**
 * A registration of a rollup with VIP. A bridge can be registered again after its registration has ended; L1 keeps the
 * snapshots and rewards of each registration apart, by its version.
 */
export interface VipBridge {
  readonly bridgeId: bigint;
  /** Counts registrations of the bridge, from 1. */
  readonly version: bigint;
  /** The first stage of which L1 expects a snapshot. */
  readonly initStage: bigint;
  /** The last stage of which L1 takes a snapshot; undefined while the rollup is registered. */
  readonly endStage: bigint | undefined;
  /** The scoring contract on the rollup, as the proposal spelled it. */
  readonly scoreContract: string;
  /** The rollup's VM; undefined for a type that was unknown when this was written. */
  readonly vm: Vm | undefined;
  /** Who operates the rollup, as L1 spells it. */
  readonly operatorAddress: string;
  /** The bridge's account on L1, as L1 spells it. */
  readonly bridgeAddress: string;
  /** Its share of the last executed gauge vote, as a multiple of 10^-18; 0 after the registration has ended. */
  readonly weight: bigint;
}

/** The registrations at one height, by bridge ID, then version. */
export interface VipBridges extends L1Block {
  readonly vip: VipAddress;
  /** The registered rollups. */
  readonly bridges: readonly VipBridge[];
  /** Registrations that have ended. Their users still claim. */
  readonly ended: readonly VipBridge[];
}

/** The VMs by their numbers in the module: 0 Move, 1 Wasm, 2 EVM. */
export const vipVms: readonly Vm[] = ["move", "wasm", "evm"];

/**
 * Reads every registration with VIP (the table `bridges` of `ModuleStore`), at the height of the newest block.
 *
 * @throws InputError `CONFIG_INVALID`; NodeError, like `readVipStage`; the signal's reason when aborted.
 * @example
 * const { bridges } = await readVipBridges({ l1RestUrl: "https://rest.initia.xyz" });
 */
export async function readVipBridges(options: VipOptions): Promise<VipBridges> {
  const reader = await openVip(options);
  const table = await reader.readModuleStore((data) => readHandle(data.field("bridges")));
  const all = await listEntries(reader, table, readBridge);
  return {
    ...reader.block,
    vip: reader.vip,
    bridges: all.filter(({ endStage }) => endStage === undefined),
    ended: all.filter(({ endStage }) => endStage !== undefined),
  };
}

/** The length of a key: a boolean, and two numbers as {@link keyOf} writes them. */
const keyLength = 19;

function readBridge(entry: Answer, value: Answer): VipBridge {
  const keyBytes = entry.field("key_bytes");
  const key = keyBytes.base64();
  if (key.length !== keyLength) keyBytes.unreadable("the key of a bridge");
  return {
    bridgeId: key.readBigUInt64BE(2),
    version: key.readBigUInt64BE(11),
    initStage: value.field("init_stage").u64(),
    endStage: key[0] === 1 ? undefined : value.field("end_stage").u64(),
    scoreContract: value.field("vip_l2_score_contract").text(),
    vm: vipVms[Number(value.field("vm_type").u64())],
    operatorAddress: value.field("operator_addr").text(),
    bridgeAddress: value.field("bridge_addr").text(),
    weight: readRatio(value.field("vip_weight")),
  };
}

/** Returns the registrations of a bridge, oldest first: only the last one can still be registered. */
export function registrationsOf(
  { bridges, ended }: Pick<VipBridges, "bridges" | "ended">,
  bridgeId: bigint,
): readonly VipBridge[] {
  return [...ended, ...bridges].filter((bridge) => bridge.bridgeId === bridgeId);
}

/** Returns the registration to which a stage belongs; undefined if L1 takes no snapshot of it for any of them. */
export function registrationAt<T extends Pick<VipBridge, "initStage" | "endStage">>(
  registrations: readonly T[],
  stage: bigint,
): T | undefined {
  return registrations.find(
    ({ initStage, endStage }) => initStage <= stage && (endStage === undefined || stage <= endStage),
  );
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
