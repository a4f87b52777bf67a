import { describe, expect, onTestFinished, test } from "vitest";
import { NodeError, u64Max, VipError } from "@vipscore/core";
import { until } from "@vipscore/testkit/until";
import { createApi } from "../../src/api/createApi.ts";
import type { Store } from "../../src/store/openStore.ts";
import { databases, openNew } from "../store/databases.ts";
import { expectServed, expectTrueStates, startFollowingScores, type FollowingScores } from "./followingScores.ts";
import { PlayedScores, type Asked, type PlayedRow } from "./playedScores.ts";

const rows = (count: number, from = 1): readonly PlayedRow[] =>
  Array.from({ length: count }, (_, at) => [from + at, BigInt(100 + at)] as const);

const away = () => new NodeError("the node is away", { code: "NODE_UNREACHABLE" });

describe.each(databases)("%s", (_name, create) => {
  /** Follows a contract into a new database, or an existing one, until the test ends. */
  async function follow(played: PlayedScores, known?: Store): Promise<FollowingScores & { readonly store: Store }> {
    const store = known ?? (await openNew(create));
    const following = startFollowingScores(played, store);
    onTestFinished(() => following.stop().catch(() => undefined));
    return { ...following, store };
  }

  /** Waits until all is stored, and compares it. */
  async function expectSettled(following: FollowingScores & { readonly store: Store }, played: PlayedScores) {
    await following.settle();
    expectTrueStates(following, played);
    await expectServed(following.store, played);
  }

  const differences = async ({ store }: { readonly store: Store }) => (await store.scores.read())?.differences;

  test("rows that events say are stored block by block", async () => {
    const played = new PlayedScores();
    const following = await follow(played);
    played.mine({ rows: rows(7) });
    await expectSettled(following, played);
    for (const more of [
      rows(2, 6),
      rows(1, 20),
      [
        [7, 0n],
        [7, 5n],
      ] as const,
    ]) {
      played.mine({ rows: more }, { rows: [[1, 8n]] });
      await expectSettled(following, played);
    }
    const scored = following.events.filter((event) => event.type === "scored");
    expect(scored.map((event) => event.rows)).toEqual([7, 3, 2, 2]);
    expect(await differences(following)).toBe(0);
    played.mine();
    await expectSettled(following, played);
    expect(following.applied).toHaveLength(4);
  });

  test("packed batches are read from the contract, also beside events in a block", async () => {
    const played = new PlayedScores();
    const following = await follow(played);
    played.mine({ rows: rows(5) });
    await expectSettled(following, played);
    played.mine({ rows: rows(20, 3), as: "packed" });
    await expectSettled(following, played);
    played.mine(
      { rows: rows(2) },
      {
        rows: [
          [2, 9n],
          [40, 9n],
        ],
        as: "packed",
      },
      { rows: [[2, 7n]] },
    );
    await expectSettled(following, played);
    played.mine({ rows: [[2, 6n]] });
    await expectSettled(following, played);
    expect(await differences(following)).toBe(0);
  });

  test("stages are finalized with and without writes in their block, and followed by the next ones", async () => {
    const played = new PlayedScores(7n);
    const following = await follow(played);
    played.mine({ rows: rows(4) });
    await expectSettled(following, played);
    played.mine("finalize");
    await expectSettled(following, played);
    played.mine({ rows: rows(6, 2) });
    await expectSettled(following, played);
    played.mine({ rows: rows(3, 5) }, "finalize", { rows: rows(2) });
    await expectSettled(following, played);
    played.mine({ rows: rows(3, 9), as: "packed" }, "finalize");
    played.mine("finalize", "finalize", { rows: rows(1) });
    await expectSettled(following, played);
    expect(played.open[0]).toBe(12n);
    expect(await differences(following)).toBe(0);
  });

  test("the last stage ends it, also after a restart", async () => {
    const played = new PlayedScores(u64Max);
    const following = await follow(played);
    played.mine({ rows: [[1, u64Max]] }, "finalize");
    await expectSettled(following, played);
    await following.stop();
    played.mine();
    await expectSettled(await follow(played, following.store), played);
  });

  test("a reference contract, without counts and revisions, is followed", async () => {
    const played = new PlayedScores();
    played.isReference = true;
    const following = await follow(played);
    for (const from of [1, 3, 2]) {
      played.mine({ rows: rows(5, from) });
      await expectSettled(following, played);
    }
    // A node that is behind is not believed at once.
    played.show = behind(2, 6);
    played.mine({ rows: [[1, 3n]] });
    await expectSettled(following, played);
    played.show = behind(2, 6);
    played.mine();
    await expectSettled(following, played);
    played.mine({ rows: [[2, 3n]] }, "finalize");
    await expectSettled(following, played);
    expect(await differences(following)).toBe(0);
  });

  test.each([
    [
      "the same total",
      {
        emitted: [
          [1, 60n],
          [2, 40n],
        ],
      },
      2,
    ],
    ["the same total of one row less", { emitted: [[1, 100n]] }, 2],
    [
      "another total",
      {
        emitted: [
          [1, 99n],
          [2, 90n],
        ],
        emittedTotal: 12n,
      },
      2,
    ],
    ["another total and the right rows", { emittedTotal: 12n }, 0],
    ["nothing", { as: "silence" }, 2],
  ] as const)("a contract that stores rows and emits %s", async (_what, call, differs) => {
    const played = new PlayedScores();
    const following = await follow(played);
    played.mine({
      rows: [
        [1, 5n],
        [2, 5n],
        [3, 7n],
      ],
    });
    await expectSettled(following, played);
    played.mine({
      rows: [
        [1, 50n],
        [2, 50n],
      ],
      ...call,
    });
    await following.settle();
    await expectServed(following.store, played);
    expect(await differences(following)).toBe(differs);
    const status = await (await createApi({ store: following.store }).request("/status")).json();
    expect(status).toMatchObject({ scores: { differences: differs } });
    const metrics = await (await createApi({ store: following.store }).request("/metrics")).text();
    expect(metrics).toMatch(new RegExp(`^vipscore_indexer_scores_differences ${differs}$`, "m"));
    // What honest events say meanwhile, and packed batches, are no differences.
    played.mine({ rows: [[3, 8n]] });
    played.mine({ rows: [[4, 8n]], as: "packed" });
    await following.settle();
    await expectServed(following.store, played);
    expect(await differences(following)).toBe(differs);
  });

  test("rows that events said while a difference waited to be read are not counted", async () => {
    const played = new PlayedScores();
    const following = await follow(played);
    played.mine({ rows: rows(3) });
    await following.settle();
    // Reading takes so long that it is not repeated at once.
    let isRead = false;
    played.show = ({ kind, height }) => {
      if (kind !== "rows" || isRead) return height;
      const end = performance.now() + 15;
      while (performance.now() < end);
      return height;
    };
    played.mine({ rows: rows(2), as: "packed" });
    await following.settle();
    isRead = true;
    played.mine({ rows: [[1, 7n]], emitted: [[1, 6n]] });
    await until("the lie to be seen", async () => (await following.store.scores.read())?.height === played.head);
    played.mine({ rows: [[2, 9n]] });
    await following.settle();
    await expectServed(following.store, played);
    expect(await differences(following)).toBe(1);
  });

  test.each<readonly [string, readonly Asked["kind"][]]>([
    ["the stage", ["stage"]],
    ["the rows", ["rows"]],
    ["both", ["stage", "rows"]],
  ])("a node that is behind for some answers about %s takes nothing back", async (_what, kinds) => {
    const played = new PlayedScores();
    const following = await follow(played);
    played.mine({ rows: rows(5) });
    await expectSettled(following, played);
    for (const as of ["events", "packed"] as const) {
      played.mine({
        rows: [
          [1, 9n],
          [2, 1n],
        ],
        as,
      });
      // The sum stays.
      played.mine({
        rows: [
          [1, 8n],
          [2, 2n],
        ],
        as,
      });
      await expectSettled(following, played);
      played.show = behind(3, 4, kinds);
      played.mine({ rows: rows(3, 4), as });
      await expectSettled(following, played);
      played.show = behind(2, 4, kinds);
      played.mine();
      await expectSettled(following, played);
    }
    // No event says that a stage was finalized: the next block shows it.
    played.show = behind(1, 3, kinds);
    played.mine("finalize");
    await following.settle();
    played.mine();
    await expectSettled(following, played);
    expect(await differences(following)).toBe(0);
  });

  test("a node that stays behind is never believed if its revision is older", async () => {
    const played = new PlayedScores();
    const following = await follow(played);
    played.mine({ rows: rows(5) });
    played.mine({ rows: [[1, 9n]] });
    await expectSettled(following, played);
    let asked = 0;
    played.show = ({ kind, height }) => {
      if (kind === "stage") asked += 1;
      return kind === "stage" || kind === "rows" ? 1 : height;
    };
    played.mine();
    await until("many checks", () => asked > 40);
    await expectServed(following.store, playedAt(played, 2));
    played.show = ({ height }) => height;
    await expectSettled(following, played);
  });

  test("pages of a stage that a node behind another one serves never become an older state", async () => {
    const played = new PlayedScores();
    const following = await follow(played);
    played.mine({ rows: rows(5) });
    played.mine({ rows: [[1, 9n]] });
    await expectSettled(following, played);
    // The look at the stage before its pages is of another node than all after it.
    let [reads, stages, isBehind] = [0, 0, true];
    played.show = ({ kind, height }) => {
      if (kind === "rows") reads += 1;
      if (kind === "stage" && reads > 0) stages += 1;
      return isBehind && reads > 0 && (kind === "rows" || kind === "stage") ? 1 : height;
    };
    played.mine({ rows: [[2, 9n]], as: "packed" });
    await until("the stage to be looked at again", () => stages > 2);
    isBehind = false;
    await expectSettled(following, played);
  });

  test("without events, as on a node that has pruned them, stages are read", async () => {
    const played = new PlayedScores();
    const following = await follow(played);
    played.mine({ rows: rows(3) });
    await expectSettled(following, played);
    played.show = ({ kind, height }) => {
      if (kind === "events") throw away();
      return height;
    };
    played.mine({ rows: rows(3, 2) });
    await expectSettled(following, played);
    played.mine({ rows: rows(3, 3), as: "packed" }, "finalize", { rows: rows(2) });
    await expectSettled(following, played);
    expect(following.events.some((event) => event.type === "eventsUnread")).toBe(true);
    expect(await differences(following)).toBe(0);
  });

  test("events of more than 2,000 blocks are not read", async () => {
    const played = new PlayedScores();
    const following = await follow(played);
    played.mine({ rows: rows(3) });
    await following.settle();
    await following.stop();
    played.mine({ rows: rows(3, 2) });
    played.mineEmpty(2_000);
    played.asked.length = 0;
    await expectSettled(await follow(played, following.store), played);
    expect(played.asked).not.toContain("events");
  });

  test("a node that fails is asked again, wherever it fails, and its failures do not add up", async () => {
    const played = new PlayedScores();
    const following = await follow(played);
    played.mine({ rows: rows(4) });
    await following.settle();
    for (const failing of ["hash", "stage", "rows", "stage", "rows", "stage", "hash", "stage"] as const) {
      let isDown = true;
      played.show = ({ kind, height }) => {
        if (kind !== failing || !isDown) return height;
        isDown = false;
        throw away();
      };
      played.mine({ rows: rows(2, 5), as: "packed" });
      await expectSettled(following, played);
    }
    const attempts = following.events.flatMap((event) => (event.type === "waiting" ? [event.attempt] : []));
    expect(attempts).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  });

  test("a head that falls for a moment is waited for; a chain that stays shorter was restarted", async () => {
    const played = new PlayedScores();
    const following = await follow(played);
    played.mine({ rows: rows(4) });
    played.mineEmpty(3);
    await following.settle();
    let heads = 0;
    played.show = ({ kind, height }) => {
      if (kind === "head") heads += 1;
      return kind === "head" && heads < 6 ? 2 : height;
    };
    await until("a higher head", () => heads > 8);
    played.mine({ rows: rows(2, 3) });
    await expectSettled(following, played);
    played.fork(3);
    await expect(following.ended).rejects.toMatchObject({ code: "CHAIN_RESTARTED" });
  });

  test.each([
    ["longer", 3],
    ["as long", 1],
  ])("a chain with other blocks that is %s was restarted", async (_what, blocks) => {
    const played = new PlayedScores();
    const following = await follow(played);
    played.mine({ rows: rows(4) });
    played.mine({ rows: rows(4, 2) });
    await following.settle();
    await following.stop();
    played.fork(1);
    for (let mined = 0; mined < blocks; mined += 1) played.mine({ rows: rows(1, 9) });
    const again = await follow(played, following.store);
    await expect(again.ended).rejects.toMatchObject({ code: "CHAIN_RESTARTED" });
    expect(again.applied).toEqual([]);
  });

  test("a chain that is restarted while a stage is read was restarted", async () => {
    const played = new PlayedScores();
    const following = await follow(played);
    played.mine({ rows: rows(4) });
    played.mineEmpty(2);
    await following.settle();
    played.mine({ rows: rows(5), as: "packed" });
    let isForked = false;
    played.show = ({ kind, height }) => {
      if (kind !== "rows" || isForked) return height;
      isForked = true;
      played.fork(0);
      played.mine({ rows: rows(2) });
      played.mineEmpty(8);
      return height;
    };
    await expect(following.ended).rejects.toMatchObject({ code: "CHAIN_RESTARTED" });
  });

  test("a write whose answer was lost is not repeated", async () => {
    const played = new PlayedScores();
    const store = await openNew(create);
    let lost = 0;
    const loseSome = () => {
      lost += 1;
      if (lost % 2 === 0) throw new VipError("the database is away", { code: "DATABASE_UNREACHABLE" });
    };
    const following = startFollowingScores(played, store, loseSome);
    onTestFinished(() => following.stop().catch(() => undefined));
    for (const as of ["events", "packed", "events", "packed"] as const) {
      played.mine({ rows: rows(3, lost), as });
      await expectSettled({ ...following, store }, played);
    }
    expect(following.applied.map(({ revision }) => revision)).toEqual([1n, 2n, 3n, 4n]);
  });

  test("it continues where it was stopped", async () => {
    const played = new PlayedScores();
    const store = await openNew(create);
    played.mine({ rows: rows(4) });
    let following = await follow(played, store);
    for (const as of ["events", "packed", "events"] as const) {
      await following.settle();
      await following.stop();
      played.mine({ rows: rows(3, 3), as });
      played.mine("finalize", { rows: rows(2) });
      following = await follow(played, store);
      await expectSettled(following, played);
    }
  });

  test("the database of another contract is refused, and one of another chain", async () => {
    const played = new PlayedScores();
    const { settle, stop, store } = await follow(played);
    played.mine({ rows: rows(1) });
    await settle();
    await stop();
    for (const other of [{ address: "0xc0df" }, { chainId: "played-2" }]) {
      const identity = { ...played.identity, ...other };
      const refused = startFollowingScores(Object.assign(new PlayedScores(), { identity }), store);
      await expect(refused.ended).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    }
  });

  test("a total that its rows do not have is never stored", async () => {
    const played = new PlayedScores();
    const following = await follow(played);
    played.mine({ rows: rows(3) });
    await expectSettled(following, played);
    let said = 0;
    played.say = (info) => {
      said += 1;
      return { ...info, total: info.total + 1n };
    };
    played.mine({ rows: rows(3, 2) });
    // Through ten checks, and the reading is repeated.
    await until("a total that was read again", () => said > 13);
    await expectServed(following.store, playedAt(played, 1));
    played.say = (info) => info;
    await expectSettled(following, played);
  });
});

/** Shows an older state for some requests of some kinds, then the right one. */
function behind(blocks: number, requests: number, kinds: readonly Asked["kind"][] = ["stage", "rows"]) {
  let left = requests;
  return ({ kind, height }: Asked) => {
    if (!kinds.includes(kind) || left === 0) return height;
    left -= 1;
    return Math.max(0, height - blocks);
  };
}

/** The contract as it was at a height. */
function playedAt(played: PlayedScores, height: number): PlayedScores {
  const before = new PlayedScores();
  return Object.defineProperties(before, {
    head: { value: height },
    stagesAt: { value: (at: number) => played.stagesAt(at) },
  });
}
