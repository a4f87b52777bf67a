import { expect } from "vitest";
import type { Account, Stage } from "@vipscore/core";
import { digestScores } from "@vipscore/core/engine";
import { readStoredProof, verifyProof } from "@vipscore/snapshot";
import { naiveRoot } from "@vipscore/testkit/naiveTree";
import { until } from "@vipscore/testkit/until";
import { createApi } from "../../src/api/createApi.ts";
import { followScores } from "../../src/follow/followScores.ts";
import type { FollowEvent } from "../../src/follow/patiently.ts";
import type { Store } from "../../src/store/openStore.ts";
import type { StageChange } from "../../src/store/scores/scores.ts";
import { totalOf, type PlayedScores, type PlayedStage } from "./playedScores.ts";

/** The bridge whose trees followers store. */
export const bridgeId = 7n;

/** A running follower of a played contract. */
export interface FollowingScores {
  readonly events: readonly FollowEvent[];
  /** What it stored, and at which height. */
  readonly applied: readonly (StageChange & { readonly height: number })[];
  readonly ended: Promise<void>;
  /** Resolves once the newest block is stored and the follower only waits for the next one; rejects as the follower does. */
  readonly settle: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/**
 * Starts a follower that checks for new blocks every 2 ms.
 *
 * @param afterApply - Called after each write of changes; may throw.
 * @param named - The bridge that it is told. Default: {@link bridgeId}.
 */
export function startFollowingScores(
  played: PlayedScores,
  store: Store,
  afterApply = () => {},
  named: { readonly bridgeId?: bigint } = { bridgeId },
): FollowingScores {
  const events: FollowEvent[] = [];
  const applied: (StageChange & { readonly height: number })[] = [];
  const stopping = new AbortController();
  const { contract, chain, readEvents } = played;
  const apply: Store["scores"]["apply"] = async (changes, progress) => {
    await store.scores.apply(changes, progress);
    applied.push(...changes.map((change) => ({ ...change, height: progress.height })));
    afterApply();
  };
  const ended = followScores({
    contract,
    chain,
    readEvents,
    store: { ...store.scores, apply },
    ...named,
    pollMs: 2,
    onEvent: (event) => events.push(event),
    signal: stopping.signal,
  });
  let isOver = false;
  const over = ended.finally(() => (isOver = true));
  over.catch(() => undefined);
  const settle = async (): Promise<void> => {
    // While there is work, something else is asked between two heads.
    const isIdle = () => played.asked.slice(-3).every((kind) => kind === "head");
    const isSettled = async () => isIdle() && (await store.scores.read())?.height === played.head && isIdle();
    await Promise.race([until("the follower to settle", async () => isOver || (await isSettled())), over]);
  };
  const stop = async (): Promise<void> => {
    stopping.abort();
    await ended;
  };
  return { events, applied, ended, settle, stop };
}

/**
 * Every stored change must be the state that the contract had at its height, or some blocks before: what a node that is behind
 * shows first, nothing contradicts.
 */
export function expectTrueStates({ applied }: FollowingScores, played: PlayedScores, blocksBefore = 0): void {
  for (const { stage, height, rows, total, accounts } of applied) {
    const heights = Array.from({ length: blocksBefore + 1 }, (_, before) => height - before);
    const held = heights.map((each) => played.stagesAt(each).get(stage)?.rows);
    expect(held).toContainEqual(new Map(rows));
    expect({ total, accounts }).toEqual({ total: rows.total(), accounts: rows.size });
  }
}

/** Compares all that the API serves with the contract's newest state, and each stage with its state at the height it names. */
export async function expectServed(store: Store, played: PlayedScores): Promise<void> {
  const api = createApi({ store });
  const read = async (path: string): Promise<Readonly<Record<string, unknown>>> => {
    const response = await api.request(`/scores/v1/${path}`);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  };
  const { stages } = (await read("stages")) as { readonly stages: readonly Readonly<Record<string, unknown>>[] };
  const expected = [...played.stagesAt(played.head)].toReversed();
  expect(stages).toMatchObject(expected.map(([stage, held]) => stageJson(stage, held, played.isReference)));
  for (const [at, [stage, held]] of expected.entries()) {
    const { height } = stages[at] ?? {};
    expect(new Map(played.stagesAt(Number(height)).get(stage)?.rows)).toEqual(held.rows);
    const page = await read(`stages/${stage}/accounts?pagination.limit=1000`);
    expect(page["accounts"]).toMatchObject(rankedRows(held.rows));
    const { root } = await read(`stages/${stage}`);
    if (held.isFinalized) await expectProved(store, { stage, rows: held.rows, root });
    else expect(root).toBeNull();
  }
}

/** The stored tree must have the root of another implementation, and prove each row. */
async function expectProved(
  { scores }: Store,
  { stage, rows, root }: { readonly stage: Stage; readonly rows: PlayedStage["rows"]; readonly root: unknown },
): Promise<void> {
  const listed = [...rows].map(([account, score]) => ({ account, score }));
  const total = listed.reduce((sum, { score }) => sum + score, 0n);
  const wanted = naiveRoot({ bridgeId, stage, rows: listed }) ?? "";
  expect(root).toBe(wanted);
  for (const { account, score } of listed.filter((row) => row.score > 0n)) {
    const leaf = { bridgeId, stage, account, score, total };
    const { proof = [] } = (await readStoredProof(scores.openTree(stage), leaf)) ?? {};
    expect(verifyProof({ ...leaf, proof, root: wanted })).toBe(true);
  }
}

function stageJson(stage: Stage, held: PlayedStage, isReference: boolean) {
  const { rows, revision, isFinalized } = held;
  return {
    stage: String(stage),
    total: String(totalOf(held)),
    accounts: rows.size,
    is_finalized: isFinalized,
    revision: isReference ? null : String(revision),
    digest: isFinalized ? digestScores(rows) : null,
  };
}

/** The rows from the highest score to the lowest with their ranks, computed in the simplest way. */
export function rankedRows(rows: ReadonlyMap<Account, bigint>) {
  const sorted = [...rows].toSorted(([a, one], [b, other]) => {
    if (one !== other) return one > other ? -1 : 1;
    return BigInt(a) > BigInt(b) ? -1 : 1;
  });
  return sorted.map(([account, score]) => ({
    account,
    score: String(score),
    rank: 1 + sorted.filter(([, each]) => each > score).length,
  }));
}
