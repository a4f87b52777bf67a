import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { inParallel } from "./inParallel.ts";

test.each([1, 2, 7, 100])("results are in the order of the items, with %i at a time", async (width) => {
  let running = 0;
  let most = 0;
  const items = Array.from({ length: 40 }, (_, index) => index);
  const results = await inParallel(items, width, async (item) => {
    running += 1;
    most = Math.max(most, running);
    for (let turn = 0; turn <= item % 5; turn += 1) await setImmediate();
    running -= 1;
    return item * 2;
  });
  expect(results).toEqual(items.map((item) => item * 2));
  expect(most).toBe(Math.min(width, items.length));
});

test("the first failure ends it, and no further work is started", async () => {
  const begun: number[] = [];
  const work = async (item: number) => {
    begun.push(item);
    await setImmediate();
    if (item === 3) throw new Error("three");
    return item;
  };
  await expect(inParallel([1, 2, 3, 4, 5, 6, 7, 8], 2, work)).rejects.toThrow("three");
  await setImmediate();
  await setImmediate();
  expect(begun.length).toBeLessThanOrEqual(5);
});

test("no items need no work", async () => {
  expect(await inParallel([], 5, () => Promise.reject(new Error("never")))).toEqual([]);
});
