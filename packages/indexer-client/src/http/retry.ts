import { IndexerRequestError } from "./indexerErrors.ts";
import { pause } from "./pause.ts";

/** A 500 is repeated at most this often: a page with a row that cannot be served always answers it. */
const most500Repeats = 2;

/** How often and how long a request is repeated. */
export interface RetryBounds {
  /** How many times a request is made at most, the first included. */
  readonly attempts: number;
  /** The first pause, in milliseconds; each further one is twice as long. */
  readonly minDelayMs: number;
  /** How long all attempts and pauses together may take, in milliseconds. */
  readonly timeoutMs: number;
  /** False to take the first 500 for the answer. */
  readonly repeat500: boolean;
  readonly signal: AbortSignal | undefined;
}

/**
 * Makes attempts until one succeeds or may not be repeated; throws what the last one threw, or the signal's reason.
 *
 * A pause that would outlast the time left is not begun: the caller learns now what it would learn then.
 *
 * @param attempt is told how many milliseconds are left.
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
      // Half of the pause is random, so that many readers of one busy server do not come back together.
      const delayMs = minDelayMs * 2 ** made * (0.25 + Math.random() / 4) + error.retryAfterMs;
      const mayRepeat = error.status === 500 ? (repeats500 -= 1) >= 0 : error.retryable;
      if (!mayRepeat || delayMs >= leftMs()) throw error;
      await pause(delayMs, signal);
    }
  }
}
