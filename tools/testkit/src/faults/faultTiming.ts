/** Durations of faults, in milliseconds. */
export interface FaultTiming {
  /** Longest delay. */
  readonly delayMs: number;
  /** Time that an answer hangs before the connection is reset, unless the client leaves first. */
  readonly hangMs: number;
  /** Longest time that the port stays closed. */
  readonly downMs: number;
  /** Lag of a stale read. */
  readonly lagMs: number;
  /** Highest `Retry-After`, in seconds. */
  readonly retryAfterSeconds: number;
}

/** Like a bad day: a hang is longer than a client waits. */
export const fullTiming: FaultTiming = {
  delayMs: 2_000,
  hangMs: 45_000,
  downMs: 5_000,
  lagMs: 1_000,
  retryAfterSeconds: 3,
};

/** For tests, whose nodes make a block every 100 ms. */
export const shortTiming: FaultTiming = { delayMs: 200, hangMs: 500, downMs: 500, lagMs: 300, retryAfterSeconds: 1 };
