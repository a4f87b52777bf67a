import { pause } from "../push/pause.ts";
import { behindTimeoutMs, isBehind, nodeBehind } from "./nodeBehind.ts";

/** Pauses before the second, third and fourth attempt, in milliseconds. */
const pauses = [200, 600, 1800];
/** Pause before a node that does not have a height yet is asked again, in milliseconds: about a block. */
const behindPauseMs = 100;

export interface RetryReadOptions {
  /** Where requests go, without credentials; for messages. */
  readonly endpoint: string;
  /** True for a failure that the same request may not meet a moment later. */
  readonly isPassing: (error: unknown) => boolean;
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs a read up to four times while it fails in a way that the same request may not meet a moment later, and for ten
 * seconds while the node does not have the height yet.
 *
 * @throws the last error; NodeError `NODE_BEHIND`; the signal's reason when aborted.
 */
export async function retryRead<T>(read: () => Promise<T>, options: RetryReadOptions): Promise<T> {
  const { endpoint, isPassing, signal } = options;
  const deadline = Date.now() + behindTimeoutMs;
  for (let failures = 0; ;) {
    try {
      return await read();
    } catch (error) {
      signal?.throwIfAborted();
      if (isBehind(error)) {
        if (Date.now() > deadline) throw nodeBehind(endpoint, "it does not have a height that was asked for", error);
        await pause(behindPauseMs, signal);
        continue;
      }
      const milliseconds = pauses[failures];
      if (milliseconds === undefined || !isPassing(error)) throw error;
      failures += 1;
      // Half of the pause is random, so that many readers of one busy node do not come back together.
      await pause(milliseconds * (0.5 + Math.random() / 2), signal);
    }
  }
}
