import { InputError, type Vm } from "@vipscore/core";
import { nodeFileName, readNodeFile, type NodeFile } from "@vipscore/core/nodeFile";
import { vms } from "@vipscore/core/values";
import type { VipOptions } from "@vipscore/l1";
import type { Context } from "../context.ts";
import type { UnsignedFlags } from "../contract/sendCall.ts";
import type { Io } from "../io.ts";
import type { SignerFlags } from "../key/findSigner.ts";
import { askVm } from "../rollup/endpoint.ts";
import { endpointOfNode, rollups } from "../rollup/rollups.ts";
import { readConfigFile, type ConfigFile } from "./projectFiles.ts";
import { findSetting, firstSetting, settings, type Setting } from "./settings.ts";

/** The flags that name a chain and a contract; each overrides every other source. */
export interface ConnectionFlags extends L1Flags, SignerFlags, UnsignedFlags {
  readonly endpoint?: string;
  readonly vm?: string;
  readonly secondEndpoint?: string;
  readonly contract?: string;
  readonly chainId?: string;
  readonly rollupRestUrl?: string;
  readonly rpcUrl?: string;
  /** False takes no settings file of the current folder. */
  readonly config?: string | false;
}

/** The settings of a connection. */
export interface Settings {
  readonly vm: Vm;
  /** The source of the VM; undefined if the endpoint was asked for it. */
  readonly vmSource: string | undefined;
  /** The rollup's endpoint, in its VM's protocol. */
  readonly endpoint: Setting<string>;
  /** Another endpoint of the rollup in the same protocol, for comparison; undefined if not set. */
  readonly secondEndpoint: Setting<string> | undefined;
  /** ID of the chain that the endpoint must serve, as the chain spells it; undefined if not set. */
  readonly chainId: Setting<string> | undefined;
  /** The contract's address if it is set; a recorded deployment is looked up once the chain is known. */
  readonly contract: Setting<string> | undefined;
  /** Gas price, e.g. `0.015umin`; undefined if not set. */
  readonly gasPrices: string | undefined;
  /** The running local node, if the endpoint belongs to it. */
  readonly localNode: NodeFile | undefined;
  /**
   * The rollup's REST endpoint, which names its bridge: the one that is set, the endpoint where that is REST, or the local node's.
   * Undefined if it is not known.
   */
  readonly rollupRestUrl: string | undefined;
  /** The rollup's CometBFT RPC: the one that is set, or the endpoint where that is RPC. Undefined if it is not known. */
  readonly rpcUrl: string | undefined;
  readonly l1: L1Settings | undefined;
}

/**
 * Resolves every setting: flag, then environment, then settings file, then the local node's file. Asks the endpoint for its VM
 * if no setting names it.
 *
 * @throws InputError `CONFIG_INVALID`, `FILE_UNREADABLE`; NodeError; the signal's reason when aborted.
 */
export async function readSettings(context: Context, flags: ConnectionFlags): Promise<Settings> {
  const { io, scrubber } = context;
  const config = await readConfigFile(io, flags.config);
  const node = await readNodeFile(io.cwd);
  const { endpoint, vm: named } = findEndpoint(io, flags, config, node);
  if (endpoint === undefined) throw noEndpoint();
  scrubber.addUrl(endpoint.value);
  const places = { flags, env: io.env, config };
  const secondEndpoint = findSetting("secondEndpoint", places);
  scrubber.addUrl(secondEndpoint?.value ?? "");
  const vm = named?.value ?? (await askVm(context, endpoint));
  const localUrl = node === undefined ? undefined : endpointOfNode(node, vm);
  const localNode = localUrl !== undefined && sameEndpoint(endpoint.value, localUrl) ? node : undefined;
  return {
    vm,
    vmSource: named?.source,
    endpoint,
    secondEndpoint,
    chainId: findSetting("chainId", places, [nodeFileName, localNode?.chainId]),
    contract: findSetting("contract", places),
    gasPrices: findSetting("gasPrices", { env: io.env, config })?.value,
    localNode,
    rollupRestUrl:
      findSetting("rollupRestUrl", places)?.value ??
      (rollups[vm].endpoint.protocol === "REST" ? endpoint.value : localNode?.restUrl),
    rpcUrl:
      findSetting("rpcUrl", { flags, env: io.env })?.value ??
      (rollups[vm].endpoint.protocol === "RPC" ? endpoint.value : undefined),
    l1: readL1Settings(io, flags, config, localNode),
  };
}

function noEndpoint(): InputError {
  const kinds = vms.map((vm) => `${rollups[vm].endpoint.protocol} on ${rollups[vm].name}`).join(", ");
  return new InputError("no endpoint to connect to", {
    code: "CONFIG_INVALID",
    metaMessages: [
      "Start a local node: vipscore node",
      `Or set the rollup's endpoint (${kinds}) with --endpoint, VIPSCORE_ENDPOINT or endpoint in vipscore.config.json.`,
    ],
  });
}

interface L1Flags {
  readonly l1RestUrl?: string;
  readonly vipAddress?: string;
}

/** The flags of a command that reads L1 and no rollup. */
export interface L1CommandFlags extends L1Flags {
  /** False takes no settings file of the current folder. */
  readonly config?: string | false;
}

/** L1's endpoint and VIP module. */
export interface L1Settings {
  readonly restUrl: Setting<string>;
  /** Address of the VIP module; undefined if the chain ID determines it. */
  readonly vipAddress: Setting<string> | undefined;
}

/** Finds L1: flag, then environment, then settings file, then the L1 of the local node. */
function readL1Settings(
  io: Io,
  flags: L1Flags,
  config: ConfigFile,
  localNode: NodeFile | undefined,
): L1Settings | undefined {
  const places = { flags, env: io.env, config };
  const restUrl = findSetting("l1RestUrl", places, [nodeFileName, localNode?.l1?.restUrl]);
  if (restUrl === undefined) return undefined;
  // The local L1's module has its own address, which does not apply to other chains.
  const local = restUrl.source === nodeFileName ? localNode?.l1?.vipAddress : undefined;
  return { restUrl, vipAddress: findSetting("vipAddress", places, [nodeFileName, local]) };
}

/** Finds L1 for a command that reads no rollup; undefined if no setting names it. */
export async function findL1Settings(io: Io, flags: L1CommandFlags): Promise<L1Settings | undefined> {
  return readL1Settings(io, flags, await readConfigFile(io, flags.config), await readNodeFile(io.cwd));
}

/** Returns how `@vipscore/l1` reads this L1. */
export function vipOptions({ restUrl, vipAddress }: L1Settings, signal: AbortSignal): VipOptions {
  return { l1RestUrl: restUrl.value, vipAddress: vipAddress?.value, signal };
}

export function checkVm({ value, source }: Setting<string>): Vm {
  const vm = vms.find((each) => each === value);
  if (vm !== undefined) return vm;
  throw new InputError(`${source}: "${value}" is not a VM`, {
    code: "CONFIG_INVALID",
    metaMessages: [`The VMs are ${vms.join(", ")}.`],
  });
}

/**
 * Finds the endpoint of a rollup: from the flag, then the environment, then the settings file, then the local node's file. A
 * given VM restricts the environment variables to its own. Without a VM, only the endpoint itself can show it.
 */
function findEndpoint(
  io: Io,
  flags: ConnectionFlags,
  config: ConfigFile,
  node: NodeFile | undefined,
): { readonly endpoint?: Setting<string>; readonly vm?: Setting<Vm> | undefined } {
  const vmSetting = firstSetting(["--vm", flags.vm], [config.name, config.vm]);
  const vm = vmSetting && { value: checkVm(vmSetting), source: vmSetting.source };
  const named =
    ofAnyVm(["--endpoint", flags.endpoint]) ??
    environmentEndpoint(io.env, vm && [vm.value]) ??
    ofAnyVm([config.name, config.endpoint]) ??
    ofAnyVm([nodeFileName, node && endpointOfNode(node, vm?.value ?? node.vm)]);
  if (named === undefined) return { vm };
  const { value, source } = named;
  const ofPlace = named.vm && { value: named.vm, source };
  return { endpoint: { value, source }, vm: vm ?? ofPlace ?? vmOfNode(named, node) };
}

function ofAnyVm(place: readonly [source: string, value: string | undefined]): NamedEndpoint | undefined {
  const setting = firstSetting(place);
  return setting && { ...setting, vm: undefined };
}

/** Returns the local node's VM from its file, even if its endpoint comes from another setting. */
function vmOfNode({ value }: NamedEndpoint, node: NodeFile | undefined): Setting<Vm> | undefined {
  if (node === undefined) return undefined;
  const url = endpointOfNode(node, node.vm);
  return url !== undefined && sameEndpoint(value, url) ? { value: node.vm, source: nodeFileName } : undefined;
}

/** The variable that names an endpoint of any VM. */
export const endpointVariable = settings.endpoint.env;

/** An endpoint and the VM that its variable implies; undefined if only the endpoint itself can show it. */
export interface NamedEndpoint extends Setting<string> {
  readonly vm: Vm | undefined;
}

/**
 * Returns the endpoint that the environment names, by `VIPSCORE_ENDPOINT` or by the variable of a VM; undefined if neither is
 * set.
 *
 * @param ofVms - The VMs whose variables count.
 * @throws InputError `CONFIG_INVALID` if two variables contradict each other.
 */
export function environmentEndpoint(env: Io["env"], ofVms: readonly Vm[] = vms): NamedEndpoint | undefined {
  const [ofVm, other] = ofVms.flatMap((vm): readonly NamedEndpoint[] => {
    const variable = rollups[vm].endpoint.env;
    const setting = firstSetting([variable, env[variable]]);
    return setting === undefined ? [] : [{ ...setting, vm }];
  });
  if (ofVm !== undefined && other !== undefined) throw contradiction(ofVm, other, "the endpoints of two VMs");
  const ofAny = firstSetting([endpointVariable, env[endpointVariable]]);
  if (ofVm === undefined) return ofAny && { ...ofAny, vm: undefined };
  if (ofAny !== undefined && !sameEndpoint(ofAny.value, ofVm.value)) {
    throw contradiction(ofAny, ofVm, "two different endpoints");
  }
  return ofVm;
}

function contradiction(one: Setting<string>, other: Setting<string>, what: string): InputError {
  return new InputError(`${one.source} and ${other.source} name ${what}`, {
    code: "CONFIG_INVALID",
    metaMessages: ["Unset one of them, or name the rollup with --endpoint."],
  });
}

export function sameEndpoint(one: string, other: string): boolean {
  return one === other || (URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href);
}
