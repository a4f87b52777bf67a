import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { InputError, type Vm } from "@vipscore/core";
import { nodeFileName, readNodeFile, type NodeFile } from "@vipscore/core/nodeFile";
import { vms } from "@vipscore/core/values";
import type { VipOptions } from "@vipscore/l1";
import type { ReportInput } from "@vipscore/report";
import type { Context } from "../context.ts";
import type { UnsignedFlags } from "../contract/sendCall.ts";
import type { Io } from "../io.ts";
import type { SignerFlags } from "../key/findSigner.ts";
import { askEndpoint, type EndpointKind } from "../rollup/endpoint.ts";
import type { Protocol } from "../rollup/rollup.ts";
import { protocolsText, rollups } from "../rollup/rollups.ts";
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
  /** False takes no settings file of the current folder. */
  readonly config?: string | false;
}

export interface Settings {
  readonly vm: Vm;
  /** The source of the VM; undefined if the endpoint was asked for it. */
  readonly vmSource: string | undefined;
  readonly endpoint: Setting<string>;
  readonly protocol: Protocol;
  /** Another endpoint of the rollup in the same protocol, for comparison; undefined if not set. */
  readonly secondEndpoint: Setting<string> | undefined;
  /** ID of the chain that the endpoint must serve, as the chain spells it; undefined if not set. */
  readonly chainId: Setting<string> | undefined;
  /** The contract's address if it is set; a recorded deployment is looked up once the chain is known. */
  readonly contract: Setting<string> | undefined;
  /** The artifact of the contract that the settings file names. */
  readonly artifact: Setting<string> | undefined;
  readonly gasPrices: string | undefined;
  /** The running local node, if the endpoint belongs to it. */
  readonly localNode: NodeFile | undefined;
  /**
   * The rollup's endpoint that names its bridge: REST that is set, the endpoint where that is REST, or the local node's REST, and
   * otherwise its RPC. Undefined if none is known.
   */
  readonly bridgeUrl: { readonly rollupRestUrl: string } | { readonly rollupRpcUrl: string } | undefined;
  /** The rollup's CometBFT RPC: the one that is set, or the endpoint where that is RPC, or the local node's. Undefined if it is not known. */
  readonly rpcUrl: string | undefined;
  readonly l1: L1Settings | undefined;
  /** What a report shows of the rollup. */
  readonly about: Required<Pick<ReportInput, "rollup" | "links">>;
}

/** The pages that a report links to. */
const reportLinks = [
  ["Explorer", "explorerUrl"],
  ["Policy", "policyUrl"],
  ["Operator", "operatorUrl"],
  ["Snapshot on L1", "snapshotUrl"],
] as const;

/**
 * Resolves every setting: flag, then environment, then settings file, then the local node's file. Asks the endpoint for its VM
 * if no setting names it.
 */
export async function readSettings(context: Context, flags: ConnectionFlags): Promise<Settings> {
  const { io, scrubber } = context;
  const config = await readConfigFile(io, flags.config);
  const node = await readNodeFile(io.cwd);
  const { endpoint, vm: named, protocol: shown } = findEndpoint(io, flags, config, node);
  if (endpoint === undefined) throw noEndpoint(await findNodeElsewhere(io.cwd));
  scrubber.addUrl(endpoint.value);
  const places = { flags, env: io.env, config };
  const secondEndpoint = findSetting("secondEndpoint", places);
  scrubber.addUrl(secondEndpoint?.value ?? "");
  const { vm, protocol } = await kindOf(context, endpoint, named?.value, shown);
  const localNode = node?.vm === vm && protocolOfNode(node, endpoint.value) !== undefined ? node : undefined;
  const ofLocalNode = rollups[vm].protocols[0] === "RPC" ? localNode?.rpcUrl : undefined;
  const rpcUrl = findSetting("rpcUrl", { env: io.env })?.value ?? (protocol === "RPC" ? endpoint.value : ofLocalNode);
  const rollupRestUrl =
    findSetting("rollupRestUrl", places)?.value ?? (protocol === "REST" ? endpoint.value : localNode?.restUrl);
  return {
    vm,
    vmSource: named?.source,
    endpoint,
    protocol,
    secondEndpoint,
    chainId: findSetting("chainId", places, [nodeFileName, localNode?.chainId]),
    contract: findSetting("contract", places),
    artifact: findSetting("artifact", places),
    gasPrices: findSetting("gasPrices", { env: io.env, config })?.value,
    localNode,
    bridgeUrl:
      (rollupRestUrl === undefined ? undefined : { rollupRestUrl }) ??
      (rpcUrl === undefined ? undefined : { rollupRpcUrl: rpcUrl }),
    rpcUrl,
    l1: readL1Settings(io, flags, config, localNode),
    about: {
      rollup: config.rollupName,
      links: reportLinks.flatMap(([text, key]) => {
        const page = config[key];
        return page === undefined ? [] : [{ text, url: page }];
      }),
    },
  };
}

/** Returns the VM and the protocol of an endpoint; asks the endpoint for what no setting shows. */
export async function kindOf(
  context: Context,
  endpoint: Setting<string>,
  vm: Vm | undefined,
  shown: Protocol | undefined,
): Promise<EndpointKind> {
  if (vm === undefined) return askEndpoint(context, endpoint, undefined);
  const [first, ...others] = rollups[vm].protocols;
  const protocol = shown ?? (others.length === 0 ? first : undefined);
  return protocol === undefined ? askEndpoint(context, endpoint, vm) : { vm, protocol };
}

/** Returns a folder above, below or beside the current one in which a local node was started. */
async function findNodeElsewhere(folder: string): Promise<string | undefined> {
  const candidates: string[] = [];
  for (let at = dirname(folder); !candidates.includes(at); at = dirname(at)) candidates.push(at);
  for (const near of [folder, dirname(folder)]) {
    const entries = await readdir(near, { withFileTypes: true }).catch(() => []);
    candidates.push(...entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(near, name)));
  }
  for (const candidate of candidates) {
    if (await readNodeFile(candidate).catch(() => undefined)) return candidate;
  }
  return undefined;
}

function noEndpoint(elsewhere: string | undefined): InputError {
  return new InputError("no endpoint to connect to", {
    code: "CONFIG_INVALID",
    metaMessages: [
      ...(elsewhere === undefined ? [] : [`A local node runs in ${elsewhere}: commands in that folder find it.`]),
      "Start a local node: vipscore node (with --vm move or --vm wasm if not EVM)",
      `Or set the rollup's endpoint (${protocolsText()}) with --endpoint, VIPSCORE_ENDPOINT or endpoint in vipscore.config.json.`,
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

/** What the settings show of an endpoint; undefined is what only the endpoint itself can show. */
export interface NamedEndpoint extends Setting<string> {
  readonly vm: Vm | undefined;
  readonly protocol: Protocol | undefined;
}

/**
 * Finds the endpoint of a rollup: from the flag, then the environment, then the settings file, then the local node's file. A
 * given VM restricts the environment variables to its own.
 */
function findEndpoint(
  io: Io,
  flags: ConnectionFlags,
  config: ConfigFile,
  node: NodeFile | undefined,
): {
  readonly endpoint?: Setting<string>;
  readonly vm?: Setting<Vm> | undefined;
  readonly protocol?: Protocol | undefined;
} {
  const vmSetting = firstSetting(["--vm", flags.vm], [config.name, config.vm]);
  const vm = vmSetting && { value: checkVm(vmSetting), source: vmSetting.source };
  const named =
    ofAnyVm(["--endpoint", flags.endpoint]) ??
    environmentEndpoint(io.env, vm && rollups[vm.value].protocols) ??
    ofAnyVm([config.name, config.endpoint]) ??
    ofAnyVm([nodeFileName, node && (vm === undefined || node.vm === vm.value) ? node.rpcUrl : undefined]);
  if (named === undefined) return { vm };
  const { value, source } = named;
  const ofNode = node && protocolOfNode(node, value);
  const ofPlace = named.vm ?? (ofNode && node?.vm);
  return {
    endpoint: { value, source },
    vm: vm ?? (ofPlace && { value: ofPlace, source: named.vm === undefined ? nodeFileName : source }),
    protocol: named.protocol ?? ofNode,
  };
}

function ofAnyVm(place: readonly [source: string, value: string | undefined]): NamedEndpoint | undefined {
  const setting = firstSetting(place);
  return setting && { ...setting, vm: undefined, protocol: undefined };
}

function protocolOfNode({ vm, rpcUrl, restUrl }: NodeFile, url: string): Protocol | undefined {
  const { protocols } = rollups[vm];
  if (sameEndpoint(url, rpcUrl)) return protocols[0];
  return restUrl !== undefined && protocols.includes("REST") && sameEndpoint(url, restUrl) ? "REST" : undefined;
}

/** The variable that names an endpoint of any VM. */
export const endpointVariable = settings.endpoint.env;

/** The variable that names an endpoint of one protocol. */
const variableOf: Readonly<Record<Protocol, string>> = {
  "JSON-RPC": settings.evmEndpoint.env,
  RPC: settings.rpcUrl.env,
  REST: settings.moveEndpoint.env,
};

/**
 * Returns the endpoint that the environment names, by `VIPSCORE_ENDPOINT` or by the variable of one of `protocols`, the
 * preferred first; undefined if neither is set. They must not contradict each other.
 */
export function environmentEndpoint(
  env: Io["env"],
  protocols: readonly Protocol[] = ["JSON-RPC", "RPC", "REST"],
): NamedEndpoint | undefined {
  let possible: readonly Vm[] = vms;
  let named: NamedEndpoint | undefined;
  for (const protocol of new Set(protocols)) {
    const variable = variableOf[protocol];
    const setting = firstSetting([variable, env[variable]]);
    if (setting === undefined) continue;
    possible = possible.filter((vm) => rollups[vm].protocols.includes(protocol));
    if (named !== undefined && possible.length === 0) throw contradiction(named, setting, "the endpoints of two VMs");
    named ??= { ...setting, vm: undefined, protocol };
  }
  const ofAny = firstSetting([endpointVariable, env[endpointVariable]]);
  if (named === undefined) return ofAny && { ...ofAny, vm: undefined, protocol: undefined };
  if (ofAny !== undefined && !sameEndpoint(ofAny.value, named.value)) {
    throw contradiction(ofAny, named, "two different endpoints");
  }
  return { ...named, vm: possible.length === 1 ? possible[0] : undefined };
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
