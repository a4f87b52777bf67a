import { NodeError, pause } from "@vipscore/core";
import type { FollowEvent } from "./followEvent.ts";

/** First and longest pause after a failure of the node, in milliseconds. */
const firstPauseMs = 250;
const longestPauseMs = 15_000;

/** How failures of the node are told, and what ends the patience. */
export interface Patience {
  readonly onEvent: ((event: FollowEvent) => void) | undefined;
  readonly signal: AbortSignal;
}

/**
 * Does something until the node lets it: each failure of the node is reported, and followed by a pause twice as long as the
 * one before, up to 15 s. Any other error is thrown at once; an abort throws the signal's reason.
 */
export async function patiently<T>(work: () => Promise<T>, { onEvent, signal }: Patience): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof NodeError)) throw error;
      const longest = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(attempt - 1, 10));
      // Half of the pause is random, so that many indexers of one busy node do not come back together.
      const delayMs = Math.round(longest * (0.5 + Math.random() / 2));
      onEvent?.({ type: "waiting", error, attempt, delayMs });
      await pause(delayMs, signal);
    }
  }
}
