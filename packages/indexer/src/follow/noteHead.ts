import type { NftStore } from "../store/nftStore.ts";

/** Minimum time between two notes of the same height, in milliseconds. */
const sameEveryMs = 1_000;

/**
 * Returns a function that stores the chain's newest height, for `lag` in `/status`, and that the follower runs: each
 * new height, and the same one at most once a second.
 */
export function headNotes(store: NftStore): (head: number) => Promise<void> {
  let noted: { readonly head: number; readonly at: number } | undefined;
  return async (head) => {
    const at = Date.now();
    if (noted?.head === head && at - noted.at < sameEveryMs) return;
    await store.noteHead(head, at);
    noted = { head, at };
  };
}
