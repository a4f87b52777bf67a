import { setImmediate } from "node:timers/promises";
import { until } from "@vipscore/testkit/until";
import { followChain, type FollowEvent, type FollowOptions } from "../../src/follow/followChain.ts";

/** A running follower. */
export interface Following {
  readonly events: readonly FollowEvent[];
  /** Settles as the follower does. */
  readonly ended: Promise<void>;
  /** Resolves once the store has a block and its event was emitted, or the follower was stopped; rejects as the follower does. */
  readonly untilIndexed: (height: number) => Promise<void>;
  /** Resolves once the store also has all URIs. */
  readonly untilRead: (height: number) => Promise<void>;
  /** Stops it and waits for its end. */
  readonly stop: () => Promise<void>;
}

/** Starts a follower that checks for new blocks every 5 ms. */
export function startFollowing(options: Omit<FollowOptions, "signal" | "pollMs">): Following {
  const events: FollowEvent[] = [];
  const stopping = new AbortController();
  const onEvent = (event: FollowEvent): void => {
    events.push(event);
    options.onEvent?.(event);
  };
  const ended = followChain({ pollMs: 5, ...options, onEvent, signal: stopping.signal });
  ended.catch(() => undefined);
  const stop = async (): Promise<void> => {
    stopping.abort();
    await ended;
  };
  const untilStored = async (what: string, isStored: () => Promise<boolean>): Promise<void> => {
    let isOver = false;
    const over = ended.finally(() => (isOver = true));
    await Promise.race([until(what, async () => isOver || (await isStored())), over]);
    // The event follows in the same turn of the event loop.
    await setImmediate();
  };
  const { store } = options;
  const untilIndexed = (height: number) =>
    untilStored(`block ${height} in the store`, async () => (await store.readChain())?.height === height);
  const untilRead = async (height: number): Promise<void> => {
    await untilIndexed(height);
    await untilStored("all URIs in the store", async () => (await store.readPendingUris(1)).length === 0);
  };
  return { events, ended, untilIndexed, untilRead, stop };
}
