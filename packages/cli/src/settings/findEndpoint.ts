import type { Vm } from "@vipscore/core";
import { nodeFileName, type NodeFile } from "@vipscore/localnet/nodeFile";
import type { Io } from "../io.ts";
import { endpointOfNode, rollups } from "../rollup/rollups.ts";
import type { ConfigFile } from "./configFile.ts";
import { firstSetting, type Setting } from "./setting.ts";

/** The flags that name the endpoint of a rollup. */
export interface EndpointFlags {
  readonly rpcUrl?: string;
  readonly restUrl?: string;
  readonly rpcNodeUrl?: string;
}

/** The endpoint of a rollup: of the flag, then the environment, then the settings file, then the local node's file. */
export function findEndpoint(
  vm: Vm,
  io: Io,
  flags: EndpointFlags,
  config: ConfigFile,
  node: NodeFile | undefined,
): Setting<string> | undefined {
  const { flag, env, key } = rollups[vm].endpoint;
  return firstSetting(
    [flag, flags[key]],
    [env, io.env[env]],
    [config.name, config[key]],
    [nodeFileName, node === undefined ? undefined : endpointOfNode(node, vm)],
  );
}
