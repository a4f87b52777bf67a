import { blockColumns } from "./blockColumns.ts";
import type { SourceColumn } from "./policySource.ts";

/** The first columns of every source of events: where an event is in the chain, and what emitted it. */
export const eventColumns = [
  ...blockColumns,
  /**
   * On EVM the event's position in its block. Elsewhere its position in its transaction, among all events of the transaction,
   * also those of no VM. From 0.
   */
  { name: "event_index", type: "integer" },
  /** The transaction's hash: `0x` and lower-case hex on EVM, upper-case hex elsewhere. */
  { name: "tx_hash", type: "text" },
  /** The contract that emitted it; on Move, the account that has the event's module. */
  { name: "contract", type: "address" },
] as const satisfies readonly SourceColumn[];
