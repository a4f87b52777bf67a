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

/**
 * Calls `round` with 1, 2, … immediately and then every interval until it returns true. Calls never overlap: the next one
 * immediately follows a call that takes longer than the interval.
 *
 * @throws the error of `round`; the signal's reason when aborted.
 */
export async function repeatEvery(
  options: { readonly intervalMs: number; readonly clock: Clock; readonly signal: AbortSignal },
  round: (number: number) => Promise<boolean>,
): Promise<void> {
  const { intervalMs, clock, signal } = options;
  for (let number = 1; ; number += 1) {
    signal.throwIfAborted();
    const startedAt = clock.now();
    if (await round(number)) return;
    const left = startedAt + intervalMs - clock.now();
    if (left > 0) await clock.pause(left, signal);
  }
}
