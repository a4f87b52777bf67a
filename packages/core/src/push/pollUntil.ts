import { pause } from "./pause.ts";

const firstPauseMs = 10;
const longestPauseMs = 500;

/**
 * Asks `read` until it gives a value, pausing 10 ms at first and twice as long each time, up to half a second.
 * Gives undefined once `timeoutMs` have passed.
 */
export async function pollUntil<T>(
  read: () => Promise<T | undefined>,
  options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<T | undefined> {
  const deadline = Date.now() + options.timeoutMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    options.signal?.throwIfAborted();
    const value = await read();
    if (value !== undefined) return value;
    const left = deadline - Date.now();
    if (left <= 0) return undefined;
    await pause(Math.min(pauseMs, left), options.signal);
  }
}
