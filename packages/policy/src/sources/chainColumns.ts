import { unixSeconds } from "../chain/rollupNode.ts";
import type { SourceColumn } from "./policySource.ts";

/** The first columns of every source that reads blocks: which transaction a row is from. */
export const blockColumns = [
  /** The block. */
  { name: "height", type: "integer", stored: "bigint" },
  /** The block's Unix time in whole seconds, rounded down. */
  { name: "time", type: "integer", stored: "bigint" },
  /** The transaction's position in its block, from 0; minievm counts from 1. */
  { name: "tx_index", type: "integer", stored: "bigint" },
] as const satisfies readonly SourceColumn[];

/** Position of a transaction in the chain. */
export interface BlockPlace {
  readonly height: number;
  /** The block's time as RFC 3339. */
  readonly timestamp: string;
  readonly transactionIndex: number;
}

/** The newest time that was converted: the rows of a block have the same. */
let newest = { timestamp: "", seconds: 0n };

/** The values of {@link blockColumns}. */
export function blockValues({ height, timestamp, transactionIndex }: BlockPlace): readonly bigint[] {
  if (timestamp !== newest.timestamp) newest = { timestamp, seconds: BigInt(unixSeconds(timestamp)) };
  return [BigInt(height), newest.seconds, BigInt(transactionIndex)];
}

/** The first columns of every source of events: where an event is in the chain, and what emitted it. */
export const eventColumns = [
  ...blockColumns,
  /**
   * On EVM the event's position in its block. Elsewhere its position in its transaction, among all events of the transaction,
   * also those of no VM. From 0.
   */
  { name: "event_index", type: "integer", stored: "bigint" },
  /** The transaction's hash: `0x` and lower-case hex on EVM, upper-case hex elsewhere. */
  { name: "tx_hash", type: "text" },
  /** The contract that emitted it; on Move, the account that has the event's module. */
  { name: "contract", type: "address" },
] as const satisfies readonly SourceColumn[];
