import { pause } from "../push/pause.ts";

/** Pauses before the second, third and fourth attempt, in milliseconds. */
const pauses = [200, 600, 1800];

/**
 * Runs a read up to four times while it fails in a way that the same request may not meet a moment later; throws the last
 * error, or the signal's reason when aborted.
 */
export async function retryRead<T>(
  read: () => Promise<T>,
  options: { readonly isPassing: (error: unknown) => boolean; readonly signal: AbortSignal | undefined },
): Promise<T> {
  const { isPassing, signal } = options;
  for (const milliseconds of pauses) {
    try {
      return await read();
    } catch (error) {
      signal?.throwIfAborted();
      if (!isPassing(error)) throw error;
    }
    // Half of the pause is random, so that many readers of one busy node do not come back together.
    await pause(milliseconds * (0.5 + Math.random() / 2), signal);
  }
  return read();
}
