import { expect, test } from "vitest";
import { stage, type Stage, type StageInfo } from "@vipscore/core";
import { findEmptyStages } from "./checkFirstStage.ts";

/** Finds them in a contract whose stages are all finalized, the even ones without scores; returns what was read, too. */
async function find(first: bigint, last: bigint) {
  const read: Stage[] = [];
  const getStage = (number: Stage): Promise<StageInfo> => {
    read.push(number);
    return Promise.resolve({ stage: number, isFinalized: true, total: number % 2n, count: 0n, revision: 0n });
  };
  const found = await findEmptyStages({ getStage }, { first, last }, { height: 1n });
  return { ...found, read };
}

test("each stage is read once", async () => {
  const read = [5n, 6n, 7n, 8n].map(stage);
  expect(await find(5n, 8n)).toEqual({ empty: [6n, 8n], unreadFrom: undefined, read });
  expect(await find(9n, 8n)).toEqual({ empty: [], unreadFrom: undefined, read: [] });
});

test("a contract that is far ahead is read for 100 stages", async () => {
  const all = await find(1n, 100n);
  expect([all.read.length, all.unreadFrom]).toEqual([100, undefined]);
  const bounded = await find(1n, 10n ** 12n);
  expect([bounded.read.length, bounded.empty.length, bounded.unreadFrom]).toEqual([100, 50, 101n]);
});
