import type { Account, ScoreContract, Stage, Vm } from "@vipscore/core";
import { afterAll, beforeAll } from "vitest";

/** Which contract a test runs against: ours, or one of the shape of Initia's reference contract. */
export type Shape = "ours" | "reference";

export const shapes: readonly Shape[] = ["ours", "reference"];

/** Options of connecting to a contract. */
export interface ConnectOptions {
  /** The endpoint; default: the chain's own. */
  readonly url?: string;
  /** Default: any chain will do. */
  readonly expectedChainId?: string;
  readonly signal?: AbortSignal;
}

/** What a test chooses of a deployment. */
export interface DeployOptions {
  /** Default: stage 4. */
  readonly initStage?: Stage;
  readonly members?: readonly Account[];
  /** Who is offered the ownership. */
  readonly owner?: Account;
  readonly expectedChainId?: string;
  readonly signal?: AbortSignal;
  /** Is called for each step: `addMember sending`, `addMember done`. */
  readonly onStep?: (step: string) => void;
}

/** What a deployment of our contract reports, on every VM. */
export interface Deployed {
  readonly address: string;
  readonly chainId: string | bigint;
  readonly version: string;
  readonly initStage: Stage;
  readonly members: readonly Account[];
  readonly owner: Account;
  readonly pendingOwner: Account | undefined;
}

/** Somebody with a key of their own. */
export interface Actor {
  readonly account: Account;
  /** Deploys a contract with first stage 1 and this account as its only member, and connects to it. */
  deploy(shape: Shape): Promise<ScoreContract>;
  /** Deploys our contract as an operator does. */
  deployOurs(options?: DeployOptions): Promise<Deployed>;
  connect(address: string, options?: ConnectOptions): Promise<ScoreContract>;
}

/** A local node and the adapter of its VM, as the suites in this folder see them. */
export interface AdapterChain {
  readonly vm: Vm;
  readonly chainId: string;
  /** The endpoint that the adapter asks. */
  readonly url: string;
  /** What a contract's address and a transaction's hash look like. */
  readonly forms: { readonly address: RegExp; readonly hash: RegExp };
  /** False on a node that never says why a call failed, as minievm. */
  readonly reportsReasons: boolean;
  /** A new account with funds. */
  fund(): Promise<Actor>;
  /** A new account that the chain has not seen. */
  poor(): Actor;
  /** Reads the chain's id, and compares it where one is expected. */
  readChainId(expectedChainId?: string): Promise<string>;
  /** Connects without an account. */
  read(address: string, options?: ConnectOptions): Promise<ScoreContract>;
  stop(): Promise<void>;
}

/** Starts a chain before the tests at hand, stops it after them, and returns how to get it. */
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
