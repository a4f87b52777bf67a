/** Options of every read. */
export interface ReadOptions {
  /** Read the state after this block; default: that of `getHeight()`. A node that does not have it yet is waited for. */
  readonly height?: bigint;
  readonly signal?: AbortSignal;
}

/** How a connection asks for the newest height. */
export interface NewestHeightOptions {
  /** How often the endpoint is asked, at once: behind it there may be several nodes. The highest answer counts. Default 1. */
  readonly asks?: number;
  readonly signal?: AbortSignal | undefined;
}
