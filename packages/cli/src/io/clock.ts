import { pause } from "@vipscore/core/engine";

/** The clock of a command that repeats its work; tests replace it to skip intervals. */
export interface Clock {
  /** Milliseconds since a fixed moment; never decreases. */
  now(): number;
  /** Waits for this many milliseconds; rejects with the signal's reason when aborted. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** This machine's clock. */
export const systemClock: Clock = { now: () => performance.now(), pause };
