import { describe, expect, test } from "vitest";
import { u64Max, VipError } from "@vipscore/core";
import { until } from "@vipscore/testkit/until";
import { createApi } from "../../src/api/createApi.ts";
import { databases, openNew } from "../store/databases.ts";
import { behind, differencesOf, expectSettled, follow, rowsOf } from "./expectSettled.ts";
import { expectServed, startFollowingScores } from "./followingScores.ts";
import { PlayedScores } from "./playedScores.ts";

describe.each(databases)("%s", (_name, create) => {
  test("rows that events say are stored block by block", async () => {
    const played = new PlayedScores();
    const following = await follow(played, create);
    played.mine({ rows: rowsOf(7) });
    await expectSettled(following, played);
    for (const more of [
      rowsOf(2, 6),
      rowsOf(1, 20),
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
    expect(await differencesOf(following)).toBe(0);
    played.mine();
    await expectSettled(following, played);
    expect(following.applied).toHaveLength(4);
  });

  test("packed batches are read from the contract, also beside events in a block", async () => {
    const played = new PlayedScores();
    const following = await follow(played, create);
    played.mine({ rows: rowsOf(5) });
    await expectSettled(following, played);
    played.mine({ rows: rowsOf(20, 3), as: "packed" });
    await expectSettled(following, played);
    played.mine(
      { rows: rowsOf(2) },
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
    expect(await differencesOf(following)).toBe(0);
  });

  test("stages are finalized with and without writes in their block, and followed by the next ones", async () => {
    const played = new PlayedScores(7n);
    const following = await follow(played, create);
    played.mine({ rows: rowsOf(4) });
    await expectSettled(following, played);
    played.mine("finalize");
    await expectSettled(following, played);
    played.mine({ rows: rowsOf(6, 2) });
    await expectSettled(following, played);
    played.mine({ rows: rowsOf(3, 5) }, "finalize", { rows: rowsOf(2) });
    await expectSettled(following, played);
    played.mine({ rows: rowsOf(3, 9), as: "packed" }, "finalize");
    played.mine("finalize", "finalize", { rows: rowsOf(1) });
    await expectSettled(following, played);
    expect(played.open[0]).toBe(12n);
    expect(await differencesOf(following)).toBe(0);
  });

  test("the last stage ends it, also after a restart", async () => {
    const played = new PlayedScores(u64Max);
    const following = await follow(played, create);
    played.mine({ rows: [[1, u64Max]] }, "finalize");
    await expectSettled(following, played);
    await following.stop();
    played.mine();
    const again = await follow(played, following.store);
    await expectSettled(again, played);
    expect(again.applied).toEqual([]);
  });

  test("a reference contract, without counts and revisions, is followed", async () => {
    const played = new PlayedScores();
    played.isReference = true;
    const following = await follow(played, create);
    for (const from of [1, 3, 2]) {
      played.mine({ rows: rowsOf(5, from) });
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
    expect(await differencesOf(following)).toBe(0);
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
    const following = await follow(played, create);
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
    expect(await differencesOf(following)).toBe(differs);
    const status = await (await createApi({ store: following.store }).request("/status")).json();
    expect(status).toMatchObject({ scores: { differences: differs } });
    const metrics = await (await createApi({ store: following.store }).request("/metrics")).text();
    expect(metrics).toMatch(new RegExp(`^vipscore_indexer_scores_differences ${differs}$`, "m"));
    // What honest events say meanwhile, and packed batches, are no differences.
    played.mine({ rows: [[3, 8n]] });
    played.mine({ rows: [[4, 8n]], as: "packed" });
    await following.settle();
    await expectServed(following.store, played);
    expect(await differencesOf(following)).toBe(differs);
  });

  test("rows that events said while a difference waited to be read are not counted", async () => {
    const played = new PlayedScores();
    const following = await follow(played, create);
    played.mine({ rows: rowsOf(3) });
    await following.settle();
    // Reading takes so long that it is not repeated at once.
    let isRead = false;
    played.show = ({ kind, height }) => {
      if (kind !== "rows" || isRead) return height;
      const end = performance.now() + 15;
      while (performance.now() < end);
      return height;
    };
    played.mine({ rows: rowsOf(2), as: "packed" });
    await following.settle();
    isRead = true;
    played.mine({ rows: [[1, 7n]], emitted: [[1, 6n]] });
    await until("the lie to be seen", async () => (await following.store.scores.read())?.height === played.head);
    played.mine({ rows: [[2, 9n]] });
    await following.settle();
    await expectServed(following.store, played);
    expect(await differencesOf(following)).toBe(1);
  });

  test("a write whose answer was lost is not repeated", async () => {
    const played = new PlayedScores();
    let lost = 0;
    const loseSome = () => {
      lost += 1;
      if (lost % 2 === 0) throw new VipError("the database is away", { code: "DATABASE_UNREACHABLE" });
    };
    const following = await follow(played, create, loseSome);
    for (const as of ["events", "packed", "events", "packed"] as const) {
      played.mine({ rows: rowsOf(3, lost), as });
      await expectSettled(following, played);
    }
    expect(following.applied.map(({ revision }) => revision)).toEqual([1n, 2n, 3n, 4n]);
  });

  test("it continues where it was stopped", async () => {
    const played = new PlayedScores();
    const store = await openNew(create);
    played.mine({ rows: rowsOf(4) });
    let following = await follow(played, store);
    for (const as of ["events", "packed", "events"] as const) {
      await following.settle();
      await following.stop();
      played.mine({ rows: rowsOf(3, 3), as });
      played.mine("finalize", { rows: rowsOf(2) });
      // The store knows the bridge.
      following = await follow(played, store, undefined, {});
      await expectSettled(following, played);
      expect(following.applied.length).toBeLessThan(4);
    }
  });

  test("the database of another contract is refused, and one of another chain", async () => {
    const played = new PlayedScores();
    const { settle, stop, store } = await follow(played, create);
    played.mine({ rows: rowsOf(1) });
    await settle();
    await stop();
    for (const other of [{ address: "0xc0df" }, { chainId: "played-2" }]) {
      const identity = { ...played.identity, ...other };
      const refused = startFollowingScores(Object.assign(new PlayedScores(), { identity }), store);
      await expect(refused.ended).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    }
  });
});
