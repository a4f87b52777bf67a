import type { ScoreContract, ScoreRow } from "@vipscore/core";
import type { BenchKey } from "./benchKey.ts";

/** A chain's endpoint, key and settings. */
export interface BenchChainParameters {
  /** JSON-RPC URL on EVM, REST URL on Move, RPC URL on Wasm. */
  readonly endpoint: string;
  readonly key: BenchKey;
  /** The price of gas on Move and Wasm, e.g. `0.015umin`. */
  readonly gasPrices: string;
  /** Milliseconds between the chain's blocks. */
  readonly blockTimeMs: number;
  /** Rows of the table, to fund a new account accordingly. */
  readonly rows: number;
}

/** A chain under measurement. Every contract that it deploys is new, and it touches no other contract. */
export interface BenchChain {
  /** Deploys our contract, with stage 1 open, and returns a function that connects to it. */
  deployOurs(): Promise<() => Promise<ScoreContract>>;
  /** Deploys a contract of the reference's shape, with stage 1 open, and returns a function that opens it with the chain's plain library. */
  deployReference(): Promise<() => Promise<PlainClient>>;
}

/** The steps of a tutorial that uses only a chain's library. */
export interface PlainClient {
  /** Estimates the gas of a batch as the library does by default. @throws the library's error if the batch is too large. */
  estimate(rows: readonly ScoreRow[]): Promise<unknown>;
  /** Writes a batch with the library's default gas, and waits for its block as the library waits. */
  update(rows: readonly ScoreRow[]): Promise<void>;
  close(): void;
}
