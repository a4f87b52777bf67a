import { VipError, type Vm } from "@vipscore/core";
import type { LocalAccount } from "@vipscore/core/testAccounts";

/** A local development chain that listens on 127.0.0.1 until it is stopped. */
export interface LocalNode extends AsyncDisposable {
  readonly vm: Vm;
  /** RPC endpoint over HTTP, e.g. `http://127.0.0.1:8545`: Ethereum's JSON-RPC on EVM, CometBFT's elsewhere. */
  readonly rpcUrl: string;
  /** The chain ID in the chain's own form: decimal on EVM, text elsewhere. */
  readonly chainId: string;
  /** The accounts that are funded at start. */
  readonly accounts: readonly LocalAccount[];
  /** Stops the chain and frees its ports; resolves when done. Calling it again does nothing. */
  stop(): Promise<void>;
}

/** The VMs that vipnode supports. */
export type VipnodeVm = "move" | "wasm";

/** A local Move or CosmWasm chain on the Cosmos SDK. */
export interface CosmosNode extends LocalNode {
  readonly vm: VipnodeVm;
  /** REST endpoint, e.g. `http://127.0.0.1:1317`. */
  readonly restUrl: string;
  /** Address of the module `vip`, if the chain imitates Initia's L1. */
  readonly vipAddress?: string;
}

/** The chain ID of every local EVM node, the default of Hardhat and anvil. */
export const evmChainId = 31337;

/**
 * Block gas limit of a local EVM node: eight full transactions. More would let a backlog of transactions into one
 * block, and Hardhat keeps about 200 bytes for each execution step of the block it is building. Less would leave blocks
 * more than half full during a large push, which raises the base fee.
 */
export const evmBlockGasLimit = 150_000_000n;

/** Balance of each funded account, in wei. */
export const evmAccountBalance = 10_000n * 10n ** 18n;

/** Checks a port: an integer from 0 to 65535, 0 for any free port. */
export function checkPort(port: number): number {
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new VipError(`port ${port} is not a port: use a whole number from 0 (any free port) to 65535`, {
    code: "CONFIG_INVALID",
  });
}

/** Checks a block interval in milliseconds: a whole number from 1 to 3,600,000; undefined stays undefined. */
export function checkBlockTime(blockTimeMs: number | undefined): number | undefined {
  if (blockTimeMs === undefined) return undefined;
  if (Number.isInteger(blockTimeMs) && blockTimeMs >= 1 && blockTimeMs <= 3_600_000) return blockTimeMs;
  throw new VipError(`block time ${blockTimeMs} cannot be used: give whole milliseconds from 1 to 3600000`, {
    code: "CONFIG_INVALID",
  });
}

export function portInUse(port: number, cause?: unknown): VipError {
  return new VipError(`port ${port} on 127.0.0.1 is in use by another program`, {
    code: "CONFIG_INVALID",
    metaMessages: [{ code: "free-port", text: "Stop that program, or choose another port; port 0 is any free one." }],
    ...(cause === undefined ? {} : { cause }),
  });
}
