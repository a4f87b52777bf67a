import { IndexerRequestError } from "./indexerErrors.ts";

/** Maximum retries after a 500: a page with a row that cannot be served always fails with it. */
const most500Repeats = 2;

/** Limits and pauses of a request's retries. */
export interface RetryBounds {
  /** Maximum number of attempts, including the first. */
  readonly attempts: number;
  /** The first pause, in milliseconds; it doubles each time. */
  readonly minDelayMs: number;
  /** Timeout of all attempts and pauses together, in milliseconds. */
  readonly timeoutMs: number;
  /** False to not retry a 500. */
  readonly repeat500: boolean;
  readonly signal: AbortSignal | undefined;
}

/**
 * Retries until an attempt succeeds or must not be retried; throws the last attempt's error, or the signal's reason.
 *
 * A pause longer than the remaining time is not started: the caller gets the error at once.
 *
 * @param attempt gets the remaining milliseconds.
 */
export async function retry<T>(attempt: (leftMs: number) => Promise<T>, bounds: RetryBounds): Promise<T> {
  const { attempts, minDelayMs, timeoutMs, repeat500, signal } = bounds;
  const end = performance.now() + timeoutMs;
  let repeats500 = repeat500 ? most500Repeats : 0;
  for (let made = 1; ; made += 1) {
    signal?.throwIfAborted();
    const leftMs = () => end - performance.now();
    try {
      return await attempt(leftMs());
    } catch (error) {
      if (!(error instanceof IndexerRequestError) || made >= attempts) throw error;
      // Half of the pause is random, so that many readers of a busy server do not return together.
      const delayMs = minDelayMs * 2 ** made * (0.25 + Math.random() / 4) + error.retryAfterMs;
      const mayRepeat = error.status === 500 ? (repeats500 -= 1) >= 0 : error.retryable;
      if (!mayRepeat || delayMs >= leftMs()) throw error;
      await pause(delayMs, signal);
    }
  }
}

/** Waits; rejects with the signal's reason when aborted. */
async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener("abort", end);
  });
  signal?.throwIfAborted();
}
