import { onTestFinished } from "vitest";
import { NodeError } from "@vipscore/core";
import type { Store } from "../../src/store/openStore.ts";
import { openNew } from "../store/databases.ts";
import { expectServed, expectTrueStates, startFollowingScores, type FollowingScores } from "./followingScores.ts";
import { PlayedScores, type Asked, type PlayedRow } from "./playedScores.ts";

/** A follower with its store. */
export interface StoredScores extends FollowingScores {
  readonly store: Store;
}

export function rowsOf(count: number, from = 1): readonly PlayedRow[] {
  return Array.from({ length: count }, (_, at) => [from + at, BigInt(100 + at)] as const);
}

/** Follows a contract into a new database, or an existing one, until the test ends. */
export async function follow(
  played: PlayedScores,
  into: (() => Promise<string>) | Store,
  afterApply?: () => void,
  named?: { readonly bridgeId?: bigint },
): Promise<StoredScores> {
  const store = typeof into === "function" ? await openNew(into) : into;
  const following = startFollowingScores(played, store, afterApply, named);
  onTestFinished(() => following.stop().catch(() => undefined));
  return { ...following, store };
}

/** Waits until all is stored, and compares it. */
export async function expectSettled(following: StoredScores, played: PlayedScores): Promise<void> {
  await following.settle();
  expectTrueStates(following, played);
  await expectServed(following.store, played);
}

export async function differencesOf({ store }: StoredScores): Promise<number | undefined> {
  return (await store.scores.read())?.differences;
}

export function away(): NodeError {
  return new NodeError("the node is away", { code: "NODE_UNREACHABLE" });
}

/** Shows an older state for some requests of some kinds, then the right one. */
export function behind(blocks: number, requests: number, kinds: readonly Asked["kind"][] = ["stage", "rows"]) {
  let left = requests;
  return ({ kind, height }: Asked) => {
    if (!kinds.includes(kind) || left === 0) return height;
    left -= 1;
    return Math.max(0, height - blocks);
  };
}

/** The contract as it was at a height. */
export function playedAt(played: PlayedScores, height: number): PlayedScores {
  const before = new PlayedScores();
  return Object.defineProperties(before, {
    head: { value: height },
    stagesAt: { value: (at: number) => played.stagesAt(at) },
  });
}
