import { InputError } from "@vipscore/core";
import { nodeFileName, readNodeFile, type NodeFile } from "@vipscore/localnet/nodeFile";
import type { Io } from "../io.ts";
import type { Vm } from "@vipscore/core";
import { endpointOfNode, rollups, vms } from "../rollup/rollups.ts";
import { readConfigFile, type ConfigFile } from "./configFile.ts";
import { readL1Settings, type L1Flags, type L1Settings } from "./l1Settings.ts";
import { findEndpoint, type EndpointFlags } from "./findEndpoint.ts";
import { checkVm, findVm } from "./findVm.ts";
import { firstSetting, type Setting } from "./setting.ts";

/** The flags that name a chain and a contract; each wins over every other place. */
export interface ConnectionFlags extends L1Flags, EndpointFlags {
  readonly vm?: string;
  readonly contract?: string;
  readonly chainId?: string;
  readonly config?: string;
  readonly keystore?: string;
}

/** Where to connect, and what was said about the contract. */
export interface Settings {
  readonly vm: Vm;
  /** The rollup's endpoint, of the kind that its VM is reached by. */
  readonly endpoint: Setting<string>;
  /** The chain that the endpoint must serve, as the chain spells it; undefined where nobody said. */
  readonly chainId: Setting<string> | undefined;
  /** The contract's address where it was said; a recorded deployment is looked up once the chain is known. */
  readonly contract: Setting<string> | undefined;
  /** Gas price, e.g. `0.015umin`, where it was said. */
  readonly gasPrices: string | undefined;
  /** The running local node, when the endpoint is its. */
  readonly localNode: NodeFile | undefined;
  /** Where L1 is; undefined where nobody said. */
  readonly l1: L1Settings | undefined;
}

/**
 * Settles every setting: flag, then environment, then settings file, then the local node's file.
 *
 * @throws InputError `CONFIG_INVALID`, `FILE_UNREADABLE`.
 */
export async function readSettings(io: Io, flags: ConnectionFlags): Promise<Settings> {
  const config = await readConfigFile(io, flags.config);
  const node = await readNodeFile(io.cwd);
  const vm = checkVm(findVm(io, flags, config, node));
  const endpoint = requireEndpoint(vm, io, flags, config, node);
  const localUrl = node === undefined ? undefined : endpointOfNode(node, vm);
  const localNode = localUrl !== undefined && sameEndpoint(endpoint.value, localUrl) ? node : undefined;
  return {
    vm,
    endpoint,
    chainId: firstSetting(
      ["--chain-id", flags.chainId],
      ["CHAIN_ID", io.env["CHAIN_ID"]],
      [config.name, config.chainId],
      [nodeFileName, localNode?.chainId],
    ),
    contract: firstSetting(
      ["--contract", flags.contract],
      ["CONTRACT_ADDRESS", io.env["CONTRACT_ADDRESS"]],
      [config.name, config.contract],
    ),
    gasPrices: firstSetting(["GAS_PRICES", io.env["GAS_PRICES"]], [config.name, config.gasPrices])?.value,
    localNode,
    l1: readL1Settings(io, flags, config, localNode),
  };
}

function requireEndpoint(
  vm: Vm,
  io: Io,
  flags: ConnectionFlags,
  config: ConfigFile,
  node: NodeFile | undefined,
): Setting<string> {
  const found = findEndpoint(vm, io, flags, config, node);
  if (found !== undefined) return found;
  const ways = vms.map((served) => {
    const { name, endpoint } = rollups[served];
    return `Or set the ${name} rollup's ${endpoint.title} endpoint with ${endpoint.flag}, ${endpoint.env} or ${endpoint.key} in vipscore.config.json.`;
  });
  throw new InputError("no endpoint to connect to", {
    code: "CONFIG_INVALID",
    metaMessages: ["Start a local node: vipscore node", ...ways],
  });
}

function sameEndpoint(one: string, other: string): boolean {
  return URL.canParse(one) && new URL(one).href === new URL(other).href;
}
