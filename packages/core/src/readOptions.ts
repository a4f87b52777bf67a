/** Options of work that can be aborted. */
export interface SignalOptions {
  /** Ends the work and throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of every read. */
export interface ReadOptions extends SignalOptions {
  /** Read the state after this block; waits for a node that does not have it yet. Default: `getHeight()`. */
  readonly height?: bigint | undefined;
}

/** {@link ReadOptions} with a height. */
export interface PinnedOptions extends ReadOptions {
  readonly height: bigint;
}

/** Options for reading the newest height. */
export interface NewestHeightOptions extends SignalOptions {
  /** Number of parallel requests; the highest answer counts. Several nodes may be behind the endpoint. Default: 1. */
  readonly asks?: number;
}
