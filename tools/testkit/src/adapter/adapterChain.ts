import { afterAll, beforeAll } from "vitest";
import type { Account, ScoreContract, Stage, Vm } from "@vipscore/core";

/** The contract that a test runs against: ours, or one shaped like Initia's reference contract. */
export type Shape = "ours" | "reference";

export const shapes: readonly Shape[] = ["ours", "reference"];

/** Options of connecting to a contract. */
export interface ConnectOptions {
  /** The endpoint. Default: the chain's own. */
  readonly url?: string;
  /** Default: any chain. */
  readonly expectedChainId?: string;
  readonly signal?: AbortSignal;
}

export interface DeployOptions {
  /** Default: stage 4. */
  readonly initStage?: Stage;
  readonly members?: readonly string[];
  /** The account to offer ownership to. */
  readonly owner?: string;
  readonly expectedChainId?: string;
  readonly signal?: AbortSignal;
  /** Called for each step: `addMember sending`, `addMember done`. */
  readonly onStep?: (step: string) => void;
}

/** The result of deploying our contract, on every VM. */
export interface Deployed {
  readonly address: string;
  readonly chainId: string | bigint;
  readonly version: string | undefined;
  readonly initStage: Stage;
  readonly members: readonly Account[];
  readonly owner: Account | undefined;
  readonly pendingOwner: Account | undefined;
}

/** An account with its own key. */
export interface Actor {
  readonly account: Account;
  /** Deploys a contract with first stage 1 and this account as its only member, and connects to it. */
  deploy(shape: Shape): Promise<ScoreContract>;
  /** Deploys our contract as an operator does. */
  deployOurs(options?: DeployOptions): Promise<Deployed>;
  connect(address: string, options?: ConnectOptions): Promise<ScoreContract>;
}

/** A local node and the adapter of its VM, for the suites in this folder. */
export interface AdapterChain {
  readonly vm: Vm;
  readonly chainId: string;
  /** The adapter's endpoint. */
  readonly url: string;
  /** Patterns of a contract's address and a transaction's hash. */
  readonly forms: { readonly address: RegExp; readonly hash: RegExp };
  /** False for a node that never reports why a call failed, such as minievm. */
  readonly reportsReasons: boolean;
  /** A new account with funds. */
  fund(): Promise<Actor>;
  /** A new account without funds. */
  poor(): Actor;
  /** Reads the chain ID, and compares it with the expected one, if any. */
  readChainId(expectedChainId?: string): Promise<string>;
  /** Connects without an account. */
  read(address: string, options?: ConnectOptions): Promise<ScoreContract>;
  stop(): Promise<void>;
}

/** Starts a chain before the current tests, stops it after them, and returns a getter. */
export function useChain<T extends Pick<AdapterChain, "stop">>(start: () => Promise<T>): () => T {
  let running: T | undefined;
  beforeAll(async () => {
    running = await start();
  });
  afterAll(() => running?.stop());
  return () => {
    if (running === undefined) throw new Error("the chain of these tests has not started");
    return running;
  };
}
