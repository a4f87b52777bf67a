import type { Vm } from "@vipscore/core";
import { nodeFileName, readNodeFile } from "@vipscore/localnet";
import type { Context } from "../context.ts";
import { group } from "../output/numbers.ts";
import { endpointOfNode } from "../rollup/rollups.ts";
import { readConfigFile } from "../settings/configFile.ts";
import { checkVm, findVm } from "../settings/findVm.ts";
import { firstSetting } from "../settings/setting.ts";
import { readContracts } from "./readContracts.ts";

/** The flags that say how contracts are told from accounts. */
export interface ContractFlags {
  readonly vm?: string;
  readonly rpcUrl?: string;
  readonly config?: string;
}

/** By what contracts are told from accounts. */
export interface ContractSource {
  readonly vm: Vm;
  /** JSON-RPC endpoint of an EVM rollup; undefined on other VMs, and where none was named. */
  readonly rpcUrl: string | undefined;
  /** False for an EVM rollup without an endpoint, where nothing tells contracts from accounts. */
  readonly isKnown: boolean;
}

/** `0x` and the digits of 32 bytes. */
const longLength = 66;

/**
 * Settles the VM and, on EVM, the endpoint: flag, then environment, then settings file, then the local node's file.
 *
 * @throws InputError `CONFIG_INVALID`, `FILE_UNREADABLE`.
 */
export async function readContractSource({ io, scrubber }: Context, flags: ContractFlags): Promise<ContractSource> {
  const config = await readConfigFile(io, flags.config);
  const node = await readNodeFile(io.cwd);
  const vm = checkVm(findVm(io, flags, config, node));
  if (vm !== "evm") return { vm, rpcUrl: undefined, isKnown: true };
  const rpcUrl = firstSetting(
    ["--rpc-url", flags.rpcUrl],
    ["JSON_RPC_URL", io.env["JSON_RPC_URL"]],
    [config.name, config.rpcUrl],
    [nodeFileName, node === undefined ? undefined : endpointOfNode(node, "evm")],
  )?.value;
  scrubber.addUrl(rpcUrl ?? "");
  return { vm, rpcUrl, isKnown: rpcUrl !== undefined };
}

/**
 * Finds the holders that are contracts. An address of 32 bytes is a contract's on Wasm and an object's on Move, where accounts
 * have 20; on EVM all have 20, and the code at each is asked for.
 *
 * @throws InputError `CONFIG_INVALID`; CheckError `CHAIN_MISMATCH`; NodeError.
 */
export async function findContracts(
  { io, output }: Context,
  { rpcUrl }: ContractSource,
  { holders, chainId }: { readonly holders: ReadonlySet<`0x${string}`>; readonly chainId: string },
): Promise<ReadonlySet<`0x${string}`>> {
  const contracts = new Set(Array.from(holders).filter((holder) => holder.length === longLength));
  if (rpcUrl === undefined) return contracts;
  const accounts = Array.from(holders).filter((holder) => !contracts.has(holder));
  const found = await readContracts({
    rpcUrl,
    chainId,
    accounts,
    signal: io.signal,
    onProgress: (checked) => output.showTransient(`${group(checked)}/${group(accounts.length)} holders looked up`),
  });
  return new Set([...contracts, ...found]);
}
