import { describe, expect, test } from "vitest";
import { until } from "@vipscore/testkit/until";
import { databases } from "../store/databases.ts";
import { away, behind, differencesOf, expectSettled, follow, playedAt, rowsOf } from "./expectSettled.ts";
import { expectServed } from "./followingScores.ts";
import { PlayedScores, type Asked } from "./playedScores.ts";

describe.each(databases)("%s", (_name, create) => {
  test.each<readonly [string, readonly Asked["kind"][]]>([
    ["the stage", ["stage"]],
    ["the rows", ["rows"]],
    ["both", ["stage", "rows"]],
  ])("a node that is behind for some answers about %s takes nothing back", async (_what, kinds) => {
    const played = new PlayedScores();
    const following = await follow(played, create);
    played.mine({ rows: rowsOf(5) });
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
      played.mine({ rows: rowsOf(3, 4), as });
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
    expect(await differencesOf(following)).toBe(0);
  });

  test("a node that stays behind is never believed if its revision is older", async () => {
    const played = new PlayedScores();
    const following = await follow(played, create);
    played.mine({ rows: rowsOf(5) });
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
    expect(following.applied.at(-1)?.revision).toBe(2n);
  });

  test("pages of a stage that a node behind another one serves never become an older state", async () => {
    const played = new PlayedScores();
    const following = await follow(played, create);
    played.mine({ rows: rowsOf(5) });
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
    expect(await differencesOf(following)).toBe(0);
  });

  test("without events, as on a node that has pruned them, stages are read", async () => {
    const played = new PlayedScores();
    const following = await follow(played, create);
    played.mine({ rows: rowsOf(3) });
    await expectSettled(following, played);
    played.show = ({ kind, height }) => {
      if (kind === "events") throw away();
      return height;
    };
    played.mine({ rows: rowsOf(3, 2) });
    await expectSettled(following, played);
    played.mine({ rows: rowsOf(3, 3), as: "packed" }, "finalize", { rows: rowsOf(2) });
    await expectSettled(following, played);
    expect(following.events.some((event) => event.type === "eventsUnread")).toBe(true);
    expect(await differencesOf(following)).toBe(0);
  });

  test("events of more than 2,000 blocks are not read", async () => {
    const played = new PlayedScores();
    const following = await follow(played, create);
    played.mine({ rows: rowsOf(3) });
    await following.settle();
    await following.stop();
    played.mine({ rows: rowsOf(3, 2) });
    played.mineEmpty(2_000);
    played.asked.length = 0;
    await expectSettled(await follow(played, following.store), played);
    expect(played.asked).not.toContain("events");
  });

  test("a node that fails is asked again, wherever it fails, and its failures do not add up", async () => {
    const played = new PlayedScores();
    const following = await follow(played, create);
    played.mine({ rows: rowsOf(4) });
    await following.settle();
    for (const failing of ["hash", "stage", "rows", "stage", "rows", "stage", "hash", "stage"] as const) {
      let isDown = true;
      played.show = ({ kind, height }) => {
        if (kind !== failing || !isDown) return height;
        isDown = false;
        throw away();
      };
      played.mine({ rows: rowsOf(2, 5), as: "packed" });
      await expectSettled(following, played);
    }
    const attempts = following.events.flatMap((event) => (event.type === "waiting" ? [event.attempt] : []));
    expect(attempts).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  });

  test("a head that falls for a moment is waited for; a chain that stays shorter was restarted", async () => {
    const played = new PlayedScores();
    const following = await follow(played, create);
    played.mine({ rows: rowsOf(4) });
    played.mineEmpty(3);
    await following.settle();
    let heads = 0;
    played.show = ({ kind, height }) => {
      if (kind === "head") heads += 1;
      return kind === "head" && heads < 6 ? 2 : height;
    };
    await until("a higher head", () => heads > 8);
    played.mine({ rows: rowsOf(2, 3) });
    await expectSettled(following, played);
    played.fork(3);
    await expect(following.ended).rejects.toMatchObject({ code: "CHAIN_RESTARTED" });
  });

  test.each([
    ["longer", 3],
    ["as long", 1],
  ])("a chain with other blocks that is %s was restarted", async (_what, blocks) => {
    const played = new PlayedScores();
    const following = await follow(played, create);
    played.mine({ rows: rowsOf(4) });
    played.mine({ rows: rowsOf(4, 2) });
    await following.settle();
    await following.stop();
    played.fork(1);
    for (let mined = 0; mined < blocks; mined += 1) played.mine({ rows: rowsOf(1, 9) });
    const again = await follow(played, following.store);
    await expect(again.ended).rejects.toMatchObject({ code: "CHAIN_RESTARTED" });
    expect(again.applied).toEqual([]);
  });

  test("a chain that is restarted while a stage is read was restarted", async () => {
    const played = new PlayedScores();
    const following = await follow(played, create);
    played.mine({ rows: rowsOf(4) });
    played.mineEmpty(2);
    await following.settle();
    played.mine({ rows: rowsOf(5), as: "packed" });
    let isForked = false;
    played.show = ({ kind, height }) => {
      if (kind !== "rows" || isForked) return height;
      isForked = true;
      played.fork(0);
      played.mine({ rows: rowsOf(2) });
      played.mineEmpty(8);
      return height;
    };
    await expect(following.ended).rejects.toMatchObject({ code: "CHAIN_RESTARTED" });
  });

  test("a total that its rows do not have is never stored", async () => {
    const played = new PlayedScores();
    const following = await follow(played, create);
    played.mine({ rows: rowsOf(3) });
    await expectSettled(following, played);
    let said = 0;
    played.say = (info) => {
      said += 1;
      return { ...info, total: info.total + 1n };
    };
    played.mine({ rows: rowsOf(3, 2) });
    // Through ten checks, and the reading is repeated.
    await until("a total that was read again", () => said > 13);
    await expectServed(following.store, playedAt(played, 1));
    played.say = (info) => info;
    await expectSettled(following, played);
    expect(following.events.every(({ type }) => type === "scored")).toBe(true);
  });
});
