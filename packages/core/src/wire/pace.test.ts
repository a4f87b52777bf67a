import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { NodeError } from "../errors/vipError.ts";
import { inParallel } from "../time/inParallel.ts";
import { Pace } from "./pace.ts";
import { retryRead } from "./retryRead.ts";

/** A clock on which pauses that run at the same time pass together; requests take no time. */
const clock = vi.hoisted(() => ({ now: 0, sleepers: [] as { readonly at: number; readonly wake: () => void }[] }));
vi.mock("../time/pause.ts", () => ({
  pause: (ms: number) => new Promise<void>((wake) => clock.sleepers.push({ at: clock.now + ms, wake })),
}));
beforeEach(() => vi.spyOn(performance, "now").mockImplementation(() => clock.now));
afterEach(() => vi.restoreAllMocks());

/** Lets the clock run until the work is done; returns how long that took. */
async function timeOf(work: Promise<unknown>): Promise<number> {
  const startedAt = clock.now;
  const state = { isDone: false };
  const done = work.finally(() => (state.isDone = true));
  for (await setImmediate(); !state.isDone; await setImmediate()) {
    const next = clock.sleepers.sort((a, b) => a.at - b.at).shift();
    clock.now = next?.at ?? clock.now;
    next?.wake();
  }
  await done;
  return clock.now - startedAt;
}

/** A node that serves so many requests in each second of its clock, and refuses the others. */
class LimitedNode {
  readonly #pace = new Pace();
  readonly served: number[] = [];
  refused = 0;
  limit: number;
  readonly #retryAfterMs: number;

  constructor(limit: number, retryAfterMs = 0) {
    this.limit = limit;
    this.#retryAfterMs = retryAfterMs;
  }

  /** Reads so many times, this many at once. */
  async read(times: number, width: number): Promise<void> {
    await inParallel(Array.from({ length: times }), width, () =>
      retryRead(() => this.#answer(), { endpoint: "http://node", signal: undefined, pace: this.#pace }),
    );
  }

  async #answer(): Promise<void> {
    const second = Math.floor(clock.now / 1000);
    if (this.served.filter((at) => Math.floor(at / 1000) === second).length < this.limit) {
      this.served.push(clock.now);
      return;
    }
    this.refused += 1;
    throw new NodeError("no", { code: "NODE_ERROR", isTransient: true, retryAfterMs: this.#retryAfterMs });
  }
}

test.each([1, 8, 40])(
  "five requests a second, %i at once: at most twice the time of the served ones",
  async (width) => {
    const node = new LimitedNode(5);
    expect(await timeOf(node.read(200, width))).toBeLessThanOrEqual((2 * 1000 * 200) / 5);
    expect(node.served).toHaveLength(200);
    expect(node.refused).toBeLessThanOrEqual(40 + width);
  },
);

test("a node that no longer limits requests gets them without a gap in the end", async () => {
  const node = new LimitedNode(5);
  await timeOf(node.read(60, 8));
  node.limit = Infinity;
  await timeOf(node.read(250, 8));
  expect(await timeOf(node.read(100, 8))).toBe(0);
});

test("no request is sent while a node asks clients to wait", async () => {
  const node = new LimitedNode(5, 4_000);
  await timeOf(node.read(40, 8));
  const pauses = node.served.slice(1).map((at, index) => at - (node.served[index] ?? 0));
  expect(pauses.filter((ms) => ms >= 4_000).length).toBeGreaterThan(0);
  expect(node.refused).toBeLessThanOrEqual(8 + pauses.filter((ms) => ms >= 4_000).length);
});
