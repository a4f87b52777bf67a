import { describe, expect, onTestFinished, test } from "vitest";
import { NodeError } from "@vipscore/core";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { seededRandom } from "@vipscore/testkit/seededRandom";
import { databases, openNew } from "../store/databases.ts";
import { expectServed, expectTrueStates, startFollowingScores } from "./followingScores.ts";
import { PlayedScores, type PlayedCall, type PlayedRow } from "./playedScores.ts";

const random = seededRandom(fuzzSeed());
const accounts = 40;
/** Blocks that its node may be behind. */
const mostBehind = 3;

interface Life {
  readonly isReference?: boolean;
  /** What its events say may be wrong. */
  readonly lies?: boolean;
  /** Its node may be behind, and fail. */
  readonly faults?: boolean;
}

const someRows = (most: number): readonly PlayedRow[] =>
  Array.from(
    { length: 1 + random.below(most) },
    () => [1 + random.below(accounts), BigInt(random.below(2 ** 32))] as const,
  );

function someCall({ isReference = false, lies = false }: Life): PlayedCall {
  if (random.below(12) === 0) return "finalize";
  const rows = someRows(6);
  if (lies && random.below(3) === 0) {
    const emitted = random.pick([
      rows.slice(1),
      someRows(3),
      rows.map(([account, score]) => [account, score + 1n] as const),
    ]);
    const emittedTotal = random.below(2) === 0 ? BigInt(random.below(2 ** 32)) : undefined;
    return { rows, ...(random.below(4) === 0 ? { as: "silence" } : { emitted, emittedTotal }) };
  }
  return { rows, as: isReference ? "events" : random.pick(["events", "events", "packed"]) };
}

/** Makes the next few answers late, or errors. */
function disturb(played: PlayedScores, { isReference = false }: Life): void {
  let left = 1 + random.below(4);
  const blocks = random.below(mostBehind + 1);
  const [late, failing] = [random.below(2) === 0, random.pick(["hash", "stage", "rows", "events", "none"] as const)];
  const kinds = random.pick([["stage"], ["rows"], ["stage", "rows"]] as const);
  played.show = ({ kind, height }) => {
    if (left === 0) return height;
    const isLate = late && kinds.some((each) => each === kind);
    // A reference contract without events does not show that its node is behind.
    const fails = kind === failing && !(isReference && late && kind === "events");
    if (isLate || fails) left -= 1;
    if (fails) throw new NodeError("the node is away", { code: "NODE_UNREACHABLE" });
    return isLate ? Math.max(0, height - blocks) : height;
  };
}

const lives: readonly (readonly [string, Life])[] = [
  ["is honest", { faults: true }],
  ["is a reference", { isReference: true, faults: true }],
  ["emits other rows than it stores", { lies: true, faults: true }],
  ["is a reference and emits other rows", { isReference: true, lies: true }],
];

describe.each(databases)("%s", (_name, create) => {
  test.each(lives)("after every step of its life, a contract that %s is served as it is", async (_what, life) => {
    const played = new PlayedScores(BigInt(1 + random.below(3)));
    played.isReference = life.isReference === true;
    const store = await openNew(create);
    let following = startFollowingScores(played, store);
    onTestFinished(() => following.stop().catch(() => undefined));
    for (let step = 0; step < fuzzRuns(20); step += 1) {
      const isStopped = random.below(8) === 0;
      if (isStopped) await following.stop();
      if (life.faults === true && random.below(5) === 0) disturb(played, life);
      for (let blocks = random.below(3); blocks >= 0; blocks -= 1)
        played.mine(...Array.from({ length: random.below(3) }, () => someCall(life)));
      if (random.below(40) === 0) played.mineEmpty(2_000);
      if (isStopped) {
        if (life.lies !== true) expectTrueStates(following, played, mostBehind);
        following = startFollowingScores(played, store);
      }
      await following.settle();
      // What a node that was behind did not show, the next block does.
      played.show = ({ height }) => height;
      played.mine();
      await following.settle();
      if (life.lies !== true) expectTrueStates(following, played, mostBehind);
      await expectServed(store, played);
    }
    const counted = (await store.scores.read())?.differences;
    expect(counted).toBeGreaterThanOrEqual(life.lies === true ? 1 : 0);
  });
});
