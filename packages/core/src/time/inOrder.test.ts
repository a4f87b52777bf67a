import { expect, test } from "vitest";
import { inOrder } from "./inParallel.ts";

const parallelPages = 4;

async function collect(results: AsyncIterable<number>): Promise<readonly number[]> {
  const collected: number[] = [];
  for await (const result of results) collected.push(result);
  return collected;
}

/** Calls that end when the test ends them. */
function calls() {
  const started: { item: number; signal: AbortSignal; end: (error?: Error) => void }[] = [];
  const fetch = (item: number, signal: AbortSignal) =>
    new Promise<number>((resolve, reject) => {
      started.push({ item, signal, end: (error) => (error === undefined ? resolve(item * 10) : reject(error)) });
    });
  return { started, fetch };
}

test("results come in the items' order, whatever order the calls end in", async () => {
  const { started, fetch } = calls();
  const results = collect(inOrder([1, 2, 3], parallelPages, fetch, undefined));
  await expect.poll(() => started.length).toBe(3);
  for (const call of [...started].reverse()) call.end();
  expect(await results).toEqual([10, 20, 30]);
});

test("no more than the agreed number of calls run at a time", async () => {
  const { started, fetch } = calls();
  const results = collect(inOrder(Array(10).keys(), parallelPages, fetch, undefined));
  await expect.poll(() => started.length).toBe(parallelPages);
  for (let ended = 0; ended < 10; ended += 1) {
    await expect.poll(() => started.length).toBeGreaterThan(ended);
    expect(started.length - ended).toBeLessThanOrEqual(parallelPages);
    started[ended]?.end();
  }
  expect(await results).toHaveLength(10);
});

test("a consumer that stops early aborts what still runs", async () => {
  const { started, fetch } = calls();
  const results = inOrder([1, 2, 3, 4, 5], parallelPages, fetch, undefined);
  const first = results.next();
  await expect.poll(() => started.length).toBe(parallelPages);
  started[0]?.end();
  expect(await first).toEqual({ value: 10, done: false });
  await results.return();
  expect(started.every(({ signal }) => signal.aborted)).toBe(true);
});

test("a failure is thrown in its turn and aborts the rest", async () => {
  const { started, fetch } = calls();
  const results = inOrder([1, 2, 3], parallelPages, fetch, undefined);
  const first = results.next();
  await expect.poll(() => started.length).toBe(3);
  started[1]?.end(new Error("second"));
  started[0]?.end();
  expect(await first).toEqual({ value: 10, done: false });
  await expect(results.next()).rejects.toThrow("second");
  expect(started[2]?.signal.aborted).toBe(true);
});

test("the caller's signal reaches every call", async () => {
  const { started, fetch } = calls();
  const caller = new AbortController();
  const next = inOrder([1], parallelPages, fetch, caller.signal).next();
  await expect.poll(() => started.length).toBe(1);
  caller.abort();
  expect(started[0]?.signal.aborted).toBe(true);
  started[0]?.end();
  await next;
});
