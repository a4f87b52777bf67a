import type { Hex } from "viem";
import type { Account, ScoreContract, Vm } from "@vipscore/core";
import type { Mempool } from "@vipscore/localnet";
import type { ProxyAnswer, ProxyRequest } from "../../proxy/startProxy.ts";
import type { NodeProtocol } from "../nodeProtocol.ts";

/** A score that a transaction wrote. */
export interface Write {
  readonly account: Account;
  /** Hash of the transaction that wrote it, in the chain's spelling. */
  readonly hash: string;
}

/** An endpoint that lags behind the chain. */
export interface StaleEndpoint {
  readonly url: string;
  close(): Promise<void>;
}

/** A local chain for a soak, with the differences between VMs. */
export interface SoakChain {
  readonly vm: Vm;
  /** Undefined on EVM. */
  readonly mempool?: Mempool;
  /** URL of the interface that the command uses. */
  readonly endpoint: string;
  readonly protocol: NodeProtocol;
  /** Gas of a block as shown to the command: a few dozen rows, so that each push has many transactions. */
  readonly blockGas: bigint;
  /** Environment variables with an endpoint and its key. */
  environment(endpoint: string, key: Hex): Readonly<Record<string, string>>;
  /** Funds each account to deploy and to push. */
  fund(keys: readonly Hex[]): Promise<void>;
  /** Deploys a new contract with first stage 1, and returns its address. */
  deploy(key: Hex): Promise<string>;
  /** Connects to a contract; without a proxy unless an endpoint is given. */
  connect(address: string, key: Hex, endpoint?: string): Promise<ScoreContract>;
  /** Returns every score that a transaction in a block wrote to stage 1, in block order, from the chain's records. */
  readWrites(address: string, key: Hex): Promise<readonly Write[]>;
  /**
   * Returns a function that answers a read at a height from the state of an older one, without saying so; undefined for any other
   * request.
   */
  answerOld(request: ProxyRequest, height: bigint): (() => Promise<ProxyAnswer>) | undefined;
  /** An endpoint whose state is `lagMs` milliseconds old. */
  startStale(lagMs: number): Promise<StaleEndpoint>;
  /** Sets the next block's base fee to this many gwei; undefined if the chain has no base fee. */
  readonly jumpBaseFee?: (gwei: number) => Promise<void>;
  stop(): Promise<void>;
}
