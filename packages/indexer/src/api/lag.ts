import type { StoreStatus } from "../store/store.ts";

/** Maximum age of what the follower last saw, in milliseconds; after that, nobody knows how far behind the index is. */
const seenForMs = 60_000;

/** Returns how many blocks the index is behind the chain; undefined if no follower has said so in the last minute. */
export function currentLag(status: StoreStatus | undefined): number | undefined {
  if (status?.seen === undefined || Date.now() - status.seen.at > seenForMs) return undefined;
  return lagOf(status);
}

/** Returns how many blocks the index was behind the chain when the follower last looked; 0 before it did. */
export function lagOf({ height, seen }: StoreStatus): number {
  return Math.max(0, (seen?.head ?? height) - height);
}
