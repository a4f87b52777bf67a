import type { Account, ScoreContract, Vm } from "@vipscore/core";
import type { Mempool } from "@vipscore/localnet";
import type { Hex } from "viem";
import type { NodeProtocol } from "../protocol/nodeProtocol.ts";

/** A score that a transaction wrote. */
export interface Write {
  readonly account: Account;
  /** Hash of the transaction that wrote it, as the chain spells it. */
  readonly hash: string;
}

/** An endpoint that is behind the chain. */
export interface StaleEndpoint {
  readonly url: string;
  close(): Promise<void>;
}

/** A local chain under a soak, with what differs from VM to VM. */
export interface SoakChain {
  readonly vm: Vm;
  /** Undefined on EVM. */
  readonly mempool?: Mempool;
  /** URL of the interface that the command uses. */
  readonly endpoint: string;
  readonly protocol: NodeProtocol;
  /** Gas of a block as the command is to see it: a few dozen rows, so that each push has many transactions. */
  readonly blockGas: bigint;
  /** The environment in which the command finds an endpoint and its key. */
  environment(endpoint: string, key: Hex): Readonly<Record<string, string>>;
  /** Gives each account what it needs to deploy and to push. */
  fund(keys: readonly Hex[]): Promise<void>;
  /** Deploys a new contract with the first stage 1, and returns its address. */
  deploy(key: Hex): Promise<string>;
  /** Connects to a contract, without any proxy unless an endpoint is named. */
  connect(address: string, key: Hex, endpoint?: string): Promise<ScoreContract>;
  /** Every score that a transaction in a block wrote to stage 1, in the order of the blocks, from the chain's own records. */
  readWrites(address: string, key: Hex): Promise<readonly Write[]>;
  /** An endpoint whose state is `lagMs` milliseconds old. */
  startStale(lagMs: number): Promise<StaleEndpoint>;
  /** Makes the next block's base fee this many gwei; undefined where there is no base fee. */
  readonly jumpBaseFee?: (gwei: number) => Promise<void>;
  stop(): Promise<void>;
}
