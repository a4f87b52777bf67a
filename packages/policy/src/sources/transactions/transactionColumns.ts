import { blockColumns } from "../blockColumns.ts";
import type { SourceColumn } from "../policySource.ts";

/** The columns of a source of transactions; each message of a Move or Wasm transaction has a row. */
export const transactionColumns = [
  ...blockColumns,
  /** The message's position in its transaction, from 0; 0 on EVM. */
  { name: "msg_index", type: "integer" },
  /** The transaction's hash: `0x` and lower-case hex on EVM, upper-case hex elsewhere. */
  { name: "tx_hash", type: "text" },
  /** The account that signed the transaction on EVM, the message elsewhere; twenty zero bytes for a message that names none. */
  { name: "sender", type: "address" },
  /**
   * The called contract, on Move the account of the called module, in lower-case hex. On EVM the receiver of any transaction.
   * Empty for a creation, and for a message that calls no contract.
   */
  { name: "contract", type: "text" },
  /**
   * On EVM the first 4 bytes of a call's data, `0x` and hex; empty for a creation or less data. On Move `module::function`, on Wasm
   * the name of the contract's message; the message's type URL if it calls neither.
   */
  { name: "function", type: "text" },
  /** Gas of the whole transaction; each of its messages has the same. */
  { name: "gas_used", type: "integer" },
  /** False if the transaction failed, and with it all of its messages. */
  { name: "success", type: "boolean" },
] as const satisfies readonly SourceColumn[];

/** The columns on EVM. */
export const evmTransactionColumns = [
  ...transactionColumns,
  /** The amount that the sender transfers, in wei. */
  { name: "value", type: "integer" },
] as const satisfies readonly SourceColumn[];
