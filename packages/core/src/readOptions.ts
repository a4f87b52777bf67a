/** Options of what can be aborted. */
export interface SignalOptions {
  /** Ends the work; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of every read. */
export interface ReadOptions extends SignalOptions {
  /** Read the state after this block; default: that of `getHeight()`. A node that does not have it yet is waited for. */
  readonly height?: bigint | undefined;
}

/** {@link ReadOptions} with a height. */
export interface PinnedOptions extends ReadOptions {
  readonly height: bigint;
}

/** How a connection asks for the newest height. */
export interface NewestHeightOptions extends SignalOptions {
  /** How often the endpoint is asked, at once: behind it there may be several nodes. The highest answer counts. Default 1. */
  readonly asks?: number;
}
