import { NodeError, VipError } from "@vipscore/core";
import { pause } from "@vipscore/core/engine";
import type { LeftOut } from "../store/store.ts";
import { times } from "../times.ts";

/** The callback that failures are reported to, and the signal that ends the retries. */
export interface Patience {
  readonly onEvent: ((event: FollowEvent) => void) | undefined;
  readonly signal: AbortSignal;
}

/**
 * Retries work until the node and the database allow it: each of their failures is reported and followed by a pause
 * that doubles, up to 15 s. Any other error is thrown at once; an abort throws the signal's reason.
 */
export async function patiently<T>(work: () => Promise<T>, { onEvent, signal }: Patience): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (!mayPassLater(error)) throw error;
      const longest = Math.min(times.longestRetryMs, times.firstRetryMs * 2 ** Math.min(attempt - 1, 10));
      // Half of the pause is random, so that many indexers of a busy node do not return together.
      const delayMs = Math.round(longest * (0.5 + Math.random() / 2));
      onEvent?.({ type: "waiting", error, attempt, delayMs });
      await pause(delayMs, signal);
    }
  }
}

function mayPassLater(error: unknown): error is VipError {
  return error instanceof NodeError || (VipError.isVipError(error) && error.code === "DATABASE_UNREACHABLE");
}

/** An event that the follower reports while it works. */
export type FollowEvent =
  | {
      readonly type: "indexed";
      /** Newest indexed block. */
      readonly height: number;
      /** The chain's newest block at the last check. */
      readonly head: number;
      /** Changes of collections and tokens in the blocks. */
      readonly changes: number;
    }
  | {
      readonly type: "waiting";
      /** Why nothing could be read. */
      readonly error: VipError;
      /** Failed attempts in a row. */
      readonly attempt: number;
      /** Milliseconds until the next attempt. */
      readonly delayMs: number;
    }
  | {
      readonly type: "urisRead";
      /** Number of tokens whose URI is still to be read. */
      readonly pendingUris: number;
    }
  | ({ readonly type: "leftOut" } & LeftOut)
  | {
      /** Rows of a stage were stored. */
      readonly type: "scored";
      readonly height: number;
      readonly stage: bigint;
      /** Rows that changed, of all accounts of the stage. */
      readonly rows: number;
      readonly accounts: number;
      /** Rows that were not as events had said, and were repaired. */
      readonly differences: number;
    }
  | {
      /** A node did not give the events of some blocks, so that the stage is read instead. */
      readonly type: "eventsUnread";
      readonly error: VipError;
      readonly first: number;
      readonly last: number;
    };
