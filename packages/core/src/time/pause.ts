import { setTimeout as delay } from "node:timers/promises";

/** Waits so many milliseconds; an abort ends it with the signal's reason, not with the timer's own AbortError. */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await delay(milliseconds, undefined, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
