import { pause } from "@vipscore/core/engine";

/** The time that a command which repeats its work goes by, so that a test can let an interval pass at once. */
export interface Clock {
  /** Milliseconds since some moment; never goes back. */
  now(): number;
  /** Waits so many milliseconds; an abort ends it with the signal's reason. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** The time of this machine. */
export const systemClock: Clock = { now: () => performance.now(), pause };
