/** What follows from the sources of a contract alone, or from its bytecode, without a run. */
export interface Construction {
  /** True if a finalized stage stays as it is (P2), and totals are the sums of their rows, by construction. */
  readonly holds: boolean;
  /** What that rests on, a line each; where it does not hold, what was found nevertheless. */
  readonly restsOn: readonly string[];
  /** Why it does not follow, a line each: a person must read that. Empty if it holds. */
  readonly toRead: readonly string[];
}
