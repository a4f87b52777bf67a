/** What the chain itself says was written to a stage. */
export interface ChainWrites {
  /** Rows written, as the contract's events tell. */
  readonly rows: number;
  /** Accounts that have a row. */
  readonly accounts: number;
  /** Hashes of the transactions that wrote them. */
  readonly transactions: ReadonlySet<string>;
  /** Transactions that the sender has in blocks. */
  readonly senderTransactions: number;
}
