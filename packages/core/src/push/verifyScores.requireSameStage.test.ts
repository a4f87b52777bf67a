import { expect, test, vi } from "vitest";
import { accountOf, collect, memoryContract, stageOne, tableOf } from "../../test/fixtures.ts";
import { stage } from "../stage.ts";
import type { ScoreRow } from "../table/scoreTable.ts";
import { finalizeStage } from "./finalizeStage.ts";
import { planPush } from "./planPush.ts";
import { push } from "./push.ts";
import { requireSameStage } from "./verifyScores.ts";

vi.mock("../time/pause.ts", () => import("../../test/virtualTime.ts"));

const table = tableOf(20);

/** Two connections to the same chain, as far as they show the same. */
async function twice() {
  const [first, second] = [memoryContract(), memoryContract()];
  for (const contract of [first, second]) await collect(push(contract, await planPush(contract, stageOne, table)));
  const height = await first.getHeight();
  const { total = 0n, isFinalized = false, revision } = (await first.getStage(stageOne)) ?? {};
  return {
    first,
    second,
    shown: { stage: stageOne, height, isFinalized, total: { contract: total }, accounts: 20, revision },
  };
}

/** Exchanges the first two scores of a page. */
function swapFirst(page: readonly ScoreRow[]): readonly ScoreRow[] {
  const [one, two, ...rest] = page;
  if (one === undefined || two === undefined) return page;
  return [{ ...one, score: two.score }, { ...two, score: one.score }, ...rest];
}

test("a second endpoint that shows the same is silent; swapped scores, or another value, are named", async () => {
  const { second, shown } = await twice();
  await requireSameStage(second, shown, table, {});
  for (const [other, named] of [
    [{ ...shown, revision: 9n }, /^revision: 9 and 1$/],
    [{ ...shown, total: { contract: 5n } }, /^total: 5 and \d+$/],
    [{ ...shown, accounts: 21 }, /^accounts: 21 and 20$/],
    [{ ...shown, isFinalized: true }, /^finalized: true and false$/],
    [{ ...shown, stage: stage(7n) }, /\bstage 7\b/],
  ] as const) {
    await expect(requireSameStage(second, other, table, {})).rejects.toMatchObject({
      code: "ENDPOINTS_DIFFER",
      metaMessages: [expect.stringMatching(named), expect.any(String)] as unknown,
    });
  }
  second.distortPage = swapFirst;
  await expect(requireSameStage(second, shown, table, {})).rejects.toMatchObject({
    code: "ENDPOINTS_DIFFER",
    metaMessages: expect.arrayContaining([
      `${accountOf(0)}: 1000 and 1001`,
      `${accountOf(1)}: 1001 and 1000`,
    ]) as unknown,
  });
});

test("one that is behind for nine seconds is waited for", async () => {
  const { second, shown } = await twice();
  const startedAt = performance.now();
  second.distortPage = (page) => (performance.now() - startedAt < 9_000 ? swapFirst(page) : page);
  await requireSameStage(second, shown, table, {});
  expect(performance.now() - startedAt).toBeGreaterThan(8_000);
});

test("a finalize compares before and after the confirmation, and sends nothing", async () => {
  const { first, second } = await twice();
  const sent = first.submissions;
  let asked = 0;
  const confirm = (): Promise<boolean> => {
    asked += 1;
    second.distortPage = swapFirst;
    return Promise.resolve(true);
  };
  for (const times of [1, 1]) {
    const finalized = finalizeStage(first, stageOne, { expect: table, second, confirm });
    await expect(finalized).rejects.toMatchObject({ code: "ENDPOINTS_DIFFER" });
    expect(asked).toBe(times);
  }
  expect(first.submissions).toBe(sent);
  second.distortPage = (page) => page;
  expect(await finalizeStage(first, stageOne, { expect: table, second })).toMatchObject({
    verification: { isFinalized: true },
  });
});
