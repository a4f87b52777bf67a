import { followChain, type FollowEvent, type FollowOptions } from "../../src/follow/followChain.ts";

/** A follower that runs. */
export interface Following {
  readonly events: readonly FollowEvent[];
  /** Settles as the follower does. */
  readonly ended: Promise<void>;
  /** Ends it and waits for its end. */
  readonly stop: () => Promise<void>;
}

/** Starts a follower that looks for new blocks every 5 ms. */
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
  return { events, ended, stop };
}
