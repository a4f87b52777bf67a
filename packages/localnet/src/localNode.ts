import type { Vm } from "@vipscore/core";
import type { LocalAccount } from "./testAccounts.ts";

/** Which program serves a local chain. */
export type LocalNodeKind = "hardhat" | "anvil" | "vipnode";

/** A local development chain that listens on 127.0.0.1 until it is stopped. */
export interface LocalNode extends AsyncDisposable {
  readonly vm: Vm;
  readonly kind: LocalNodeKind;
  /** RPC endpoint over HTTP, e.g. `http://127.0.0.1:8545`: Ethereum's JSON-RPC on EVM, CometBFT's elsewhere. */
  readonly rpcUrl: string;
  /** The chain id as the chain spells it: decimal on EVM, text elsewhere. */
  readonly chainId: string;
  /** The accounts that were funded when the chain started. */
  readonly accounts: readonly LocalAccount[];
  /** Ends the chain and frees its ports; resolves when all are gone. Calling it again changes nothing. */
  stop(): Promise<void>;
}

/** The VMs that vipnode has. */
export type VipnodeVm = "move" | "wasm";

/** A local Move or CosmWasm chain on the Cosmos SDK. */
export interface CosmosNode extends LocalNode {
  readonly vm: VipnodeVm;
  readonly kind: "vipnode";
  /** REST endpoint, e.g. `http://127.0.0.1:1317`. */
  readonly restUrl: string;
  /** Address of the module `vip`, where the chain plays Initia's L1. */
  readonly vipAddress?: string;
}

/** The chain id of every local EVM node, Hardhat's and anvil's own default. */
export const evmChainId = 31337;

/**
 * Gas that one block of a local EVM node may use: eight full transactions. More would let a backlog of transactions into
 * one block, and Hardhat holds some 200 bytes for each step of all transactions of the block that it is making. Less
 * would leave blocks more than half full during a large push, which makes the base fee climb.
 */
export const evmBlockGasLimit = 150_000_000n;

/** Balance of each funded account, in wei. */
export const evmAccountBalance = 10_000n * 10n ** 18n;
