import { InputError } from "@vipscore/core";
import { nodeFileName, readNodeFile, type NodeFile } from "@vipscore/localnet";
import type { Io } from "../io.ts";
import { readConfigFile } from "./configFile.ts";
import { firstSetting, type Setting } from "./setting.ts";

/** The flags that name a chain and a contract; each wins over every other place. */
export interface ConnectionFlags {
  readonly vm?: string;
  readonly rpcUrl?: string;
  readonly contract?: string;
  readonly chainId?: string;
  readonly config?: string;
  readonly keystore?: string;
}

/** Where to connect, and what was said about the contract. */
export interface Settings {
  readonly vm: "evm";
  readonly rpcUrl: Setting<string>;
  /** The chain that the endpoint must serve; undefined where nobody said. */
  readonly chainId: Setting<bigint> | undefined;
  /** The contract's address where it was said; a recorded deployment is looked up once the chain is known. */
  readonly contract: Setting<string> | undefined;
  /** The running local node, when the endpoint is its. */
  readonly localNode: NodeFile | undefined;
}

/**
 * Settles every setting: flag, then environment, then settings file, then the local node's file.
 *
 * @throws InputError `CONFIG_INVALID`, `FILE_UNREADABLE`.
 */
export async function readSettings(io: Io, flags: ConnectionFlags): Promise<Settings> {
  const config = await readConfigFile(io.cwd, flags.config);
  const node = await readNodeFile(io.cwd);
  const rpcUrl = firstSetting(
    ["--rpc-url", flags.rpcUrl],
    ["JSON_RPC_URL", io.env["JSON_RPC_URL"]],
    [config.name, config.rpcUrl],
    [nodeFileName, node?.rpcUrl],
  );
  if (rpcUrl === undefined) throw noEndpoint();
  const localNode = node !== undefined && sameEndpoint(rpcUrl.value, node.rpcUrl) ? node : undefined;
  const chainId = firstSetting(
    ["--chain-id", flags.chainId],
    ["CHAIN_ID", io.env["CHAIN_ID"]],
    [config.name, config.chainId],
    [nodeFileName, localNode?.chainId],
  );
  const contract = firstSetting(
    ["--contract", flags.contract],
    ["CONTRACT_ADDRESS", io.env["CONTRACT_ADDRESS"]],
    [config.name, config.contract],
  );
  const vm = firstSetting(["--vm", flags.vm], [config.name, config.vm], [nodeFileName, localNode?.vm]);
  if (vm !== undefined) checkVm(vm);
  return {
    vm: "evm",
    rpcUrl,
    chainId: chainId === undefined ? undefined : parseChainId(chainId),
    contract,
    localNode,
  };
}

/** @throws InputError `CONFIG_INVALID` unless the VM is one that this version serves. */
export function checkVm({ value, source }: Setting<string>): void {
  if (value === "evm") return;
  throw new InputError(`${source}: "${value}" is not a VM of this version`, {
    code: "CONFIG_INVALID",
    metaMessages: ["This version serves evm only."],
  });
}

function parseChainId({ value, source }: Setting<string>): Setting<bigint> {
  if (/^\d{1,20}$/.test(value) && BigInt(value) > 0n) return { value: BigInt(value), source };
  throw new InputError(`${source}: "${value}" is not an EVM chain id, a decimal number from 1`, {
    code: "CONFIG_INVALID",
  });
}

function sameEndpoint(one: string, other: string): boolean {
  return URL.canParse(one) && new URL(one).href === new URL(other).href;
}

function noEndpoint(): InputError {
  return new InputError("no endpoint to connect to", {
    code: "CONFIG_INVALID",
    metaMessages: [
      "Start a local node: vipscore node",
      "Or name the rollup's JSON-RPC endpoint with --rpc-url, JSON_RPC_URL or rpcUrl in vipscore.config.json.",
    ],
  });
}
