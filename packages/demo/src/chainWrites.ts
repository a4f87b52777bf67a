/** Writes to a stage, according to the chain. */
export interface ChainWrites {
  /** Rows written, according to the contract's events. */
  readonly rows: number;
  /** Accounts that have a row. */
  readonly accounts: number;
  /** Hashes of the transactions that wrote them. */
  readonly transactions: ReadonlySet<string>;
  /** Number of the sender's transactions in blocks. */
  readonly senderTransactions: number;
}
