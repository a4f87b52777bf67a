/** The chain of a database. */
export interface IndexedChain {
  readonly chainId: string;
  /** Newest indexed block; one less than the first block to read while nothing is indexed. */
  readonly height: number;
  /** Hash of that block, lower-case hex; empty while nothing is indexed. */
  readonly blockHash: string;
}
