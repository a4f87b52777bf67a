import type { ScoreContract, ScoreRow } from "@vipscore/core";
import type { BenchKey } from "./benchKey.ts";

/** Where a chain is and who signs there. */
export interface BenchChainParameters {
  /** JSON-RPC URL on EVM, REST URL on Move, RPC URL on Wasm. */
  readonly endpoint: string;
  readonly key: BenchKey;
  /** The price of gas on Move and Wasm, e.g. `0.015umin`. */
  readonly gasPrices: string;
  /** Milliseconds between the chain's blocks. */
  readonly blockTimeMs: number;
  /** Rows of the table, for what a fresh account has to be given. */
  readonly rows: number;
}

/** A chain under measurement. Every contract that it deploys is a new one, and no other is touched. */
export interface BenchChain {
  /** Deploys our contract, stage 1 open, and gives what connects to it. */
  deployOurs(): Promise<() => Promise<ScoreContract>>;
  /** Deploys a contract of the reference's shape, stage 1 open, and gives what opens the chain's plain library on it. */
  deployReference(): Promise<() => Promise<PlainClient>>;
}

/** What a tutorial does with a chain's library alone. */
export interface PlainClient {
  /** Estimates the gas of a batch as the library does by default. @throws the library's error when it is too large. */
  estimate(rows: readonly ScoreRow[]): Promise<unknown>;
  /** Writes a batch with the library's default gas, and waits for its block as the library waits. */
  update(rows: readonly ScoreRow[]): Promise<void>;
  close(): void;
}
