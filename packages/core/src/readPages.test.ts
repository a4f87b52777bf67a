import { expect, test } from "vitest";
import { accountOf } from "../test/fixtures.ts";
import type { Account } from "./account.ts";
import { readPages, type ReadPages } from "./readPages.ts";
import { ScoreTable, type ScoreRow } from "./table/scoreTable.ts";

const limit = 40;

/** A stage with the accounts of these numbers, and how its pages were requested. */
function startStage(numbers: readonly number[], pageRows = limit) {
  const rows = numbers.map((number): ScoreRow => ({ account: accountOf(number), score: BigInt(number) }));
  const asked: (Account | undefined)[] = [];
  let requests = 0;
  let running = 0;
  let most = 0;
  const readAt: ReadPages = async (starts) => {
    requests += 1;
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
    return starts.map(({ after, left }) => {
      asked.push(after);
      const first = after === undefined ? 0 : rows.findIndex(({ account }) => account > after);
      const page = first < 0 ? [] : rows.slice(first, first + pageRows);
      expect(BigInt(page.length)).toBeLessThanOrEqual(left);
      return page;
    });
  };
  const read = async (options: Omit<Parameters<typeof readPages>[1], "limit">) => {
    const found: ScoreRow[] = [];
    for await (const page of readPages(readAt, { ...options, limit })) found.push(...page);
    return found;
  };
  return { rows, asked, read, most: () => most, requests: () => requests };
}

// Even numbers, so that an odd one lies between two of them.
const numbers = Array.from({ length: 230 }, (_, index) => 2 * index + 2);
const tableOf = (of: readonly number[]) =>
  ScoreTable.from(of.map((number) => ({ account: accountOf(number), score: 1n })));

test("of a stage that is as expected, four pages are requested at a time, each once", async () => {
  const { rows, asked, read, most } = startStage(numbers);
  expect(await read({ count: 230n, table: tableOf(numbers) })).toEqual(rows);
  expect(asked).toEqual([0, 40, 80, 120, 160, 200].map((start) => rows[start - 1]?.account));
  expect(most()).toBe(4);
});

test("guessed pages are read together, as many as allowed", async () => {
  const { rows, asked, read, requests } = startStage(numbers);
  expect(await read({ count: 230n, table: tableOf(numbers), together: 4 })).toEqual(rows);
  expect(asked).toHaveLength(6);
  expect(requests()).toBe(2);
});

test.each<[string, readonly number[], number]>([
  ["with other accounts", numbers.map((number) => number + 1), 5],
  ["with another account in the middle", numbers.map((number) => (number === 100 ? 461 : number)), 4],
  ["with another last account", numbers.map((number) => (number === 460 ? 461 : number)), 0],
])("a stage %s than expected is read once", async (_, expected, wasted) => {
  const { rows, asked, read } = startStage(numbers);
  expect(await read({ count: 230n, table: tableOf(expected) })).toEqual(rows);
  expect(asked.length - 6).toBeLessThanOrEqual(wasted);
  expect(await read({ count: 230n, table: tableOf(expected), together: 4 })).toEqual(rows);
});

test("pages may be shorter than requested", async () => {
  const { rows, read } = startStage(numbers, 7);
  expect(await read({ count: 230n, table: tableOf(numbers) })).toEqual(rows);
  expect(await read({})).toEqual(rows);
});

test("a stage that has no rows left ends the reading, whatever it counts", async () => {
  const { rows, asked, read } = startStage(numbers);
  expect(await read({ count: 240n })).toEqual(rows);
  expect(asked).toHaveLength(7);
  expect(await startStage([]).read({ count: 230n, table: tableOf(numbers) })).toEqual([]);
});
