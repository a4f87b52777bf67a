import type { Vm } from "@vipscore/core";
import { nodeFileName, type NodeFile } from "@vipscore/core/nodeFile";
import type { Io } from "../io/io.ts";
import { endpointOfNode } from "../rollup/rollups.ts";
import { checkVm } from "../settings/checkVm.ts";
import type { ConfigFile } from "../settings/configFile.ts";
import { firstSetting, type Setting } from "../settings/setting.ts";
import { environmentEndpoint, sameEndpoint, type NamedEndpoint } from "./environmentEndpoint.ts";

/** The flags that name a rollup's endpoint. */
export interface EndpointFlags {
  readonly endpoint?: string;
  readonly vm?: string;
}

/** The settings of a rollup, before its endpoint is queried. */
export interface FoundEndpoint {
  /** Undefined if not set. */
  readonly endpoint: Setting<string> | undefined;
  /** The VM as a setting names it; undefined if only the endpoint itself can show it. */
  readonly vm: Setting<Vm> | undefined;
}

/**
 * Finds the endpoint of a rollup: from the flag, then the environment, then the settings file, then the local node's file. A
 * given VM restricts the environment variables to its own.
 *
 * @throws InputError `CONFIG_INVALID` for an unknown VM and for variables that contradict each other.
 */
export function findEndpoint(
  io: Io,
  flags: EndpointFlags,
  config: ConfigFile,
  node: NodeFile | undefined,
): FoundEndpoint {
  const vmSetting = firstSetting(["--vm", flags.vm], [config.name, config.vm]);
  const vm = vmSetting && { value: checkVm(vmSetting), source: vmSetting.source };
  const named =
    ofAnyVm(["--endpoint", flags.endpoint]) ??
    environmentEndpoint(io.env, vm && [vm.value]) ??
    ofAnyVm([config.name, config.endpoint]) ??
    ofAnyVm([nodeFileName, node && endpointOfNode(node, vm?.value ?? node.vm)]);
  if (named === undefined) return { endpoint: undefined, vm };
  const { value, source } = named;
  return { endpoint: { value, source }, vm: vm ?? vmOfPlace(named) ?? vmOfNode(named, node) };
}

function ofAnyVm(place: readonly [source: string, value: string | undefined]): NamedEndpoint | undefined {
  const setting = firstSetting(place);
  return setting && { ...setting, vm: undefined };
}

function vmOfPlace({ vm, source }: NamedEndpoint): Setting<Vm> | undefined {
  return vm && { value: vm, source };
}

/** Returns the local node's VM from its file, even if its endpoint comes from another setting. */
function vmOfNode({ value }: NamedEndpoint, node: NodeFile | undefined): Setting<Vm> | undefined {
  if (node === undefined) return undefined;
  const url = endpointOfNode(node, node.vm);
  return url !== undefined && sameEndpoint(value, url) ? { value: node.vm, source: nodeFileName } : undefined;
}
