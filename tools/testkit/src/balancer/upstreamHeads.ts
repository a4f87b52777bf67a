import { setTimeout as delay } from "node:timers/promises";

const pauseMs = 10;

/** The heights of a node, and when each appeared. */
export interface UpstreamHeads {
  /** Returns the height that was the newest `lagMs` milliseconds ago. */
  readonly headBefore: (lagMs: number) => bigint;
  /** Ends the polling; resolves once no request is open. */
  readonly stop: () => Promise<void>;
}

/**
 * Follows the heights of a node by polling. A height counts from the answer that shows it, so that no replica is ahead of its lag.
 *
 * @throws the error of the first `readHeight`; later failures keep the heights, as on a replica without peers.
 */
export async function followHeads(readHeight: () => Promise<bigint>): Promise<UpstreamHeads> {
  // The height at the start counts as old.
  const seen = [{ height: await readHeight(), at: Number.NEGATIVE_INFINITY }];
  const newest = () => seen.at(-1)?.height ?? 0n;
  const stopping = new AbortController();
  const follow = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await delay(pauseMs);
      const height = await readHeight().catch(newest);
      if (height > newest()) seen.push({ height, at: performance.now() });
    }
  };
  const following = follow();
  return {
    headBefore: (lagMs) => seen.findLast(({ at }) => at <= performance.now() - lagMs)?.height ?? 0n,
    stop: async () => {
      stopping.abort();
      await following;
    },
  };
}
