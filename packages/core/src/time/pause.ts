import { setTimeout as delay } from "node:timers/promises";

/** Waits this many milliseconds; an abort ends the wait with the signal's reason, not with the timer's AbortError. */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await delay(milliseconds, undefined, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
