import { expect, test } from "vitest";
import type { Clock } from "./io.ts";
import { parseInterval, repeatEvery } from "./rounds.ts";

test.each([
  ["1s", 1_000],
  ["60s", 60_000],
  ["5m", 300_000],
  ["24h", 86_400_000],
])("%s is %d ms", (text, milliseconds) => {
  expect(parseInterval(text)).toBe(milliseconds);
});

test.each(["", "60", "0s", "1.5m", "-1s", "25h", "86401s", "1d", "1ms", "100000s", " 1s"])("%j is refused", (text) => {
  expect(() => parseInterval(text)).toThrow(expect.objectContaining({ code: "INPUT_INVALID" }) as Error);
});

/** A clock that advances only by pauses, which end immediately. */
class CountingClock implements Clock {
  time = 0;
  readonly pauses: number[] = [];

  now(): number {
    return this.time;
  }

  pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.pauses.push(milliseconds);
    this.time += milliseconds;
    return Promise.resolve();
  }
}

test("counts the interval from the start of a round; the next one follows a longer round immediately", async () => {
  const clock = new CountingClock();
  const durations = [10, 250, 100, 0];
  const starts: number[] = [];
  await repeatEvery({ intervalMs: 100, clock, signal: new AbortController().signal }, (number) => {
    starts.push(clock.time);
    clock.time += durations[number - 1] ?? 0;
    return Promise.resolve(number === durations.length);
  });
  expect(starts).toEqual([0, 100, 350, 450]);
  expect(clock.pauses).toEqual([90]);
});

test("an abort between rounds ends it with the signal's reason", async () => {
  const interruption = new AbortController();
  const reason = new Error("enough");
  const rounds: number[] = [];
  const repeating = repeatEvery(
    { intervalMs: 100, clock: new CountingClock(), signal: interruption.signal },
    (number) => {
      rounds.push(number);
      if (number === 2) interruption.abort(reason);
      return Promise.resolve(false);
    },
  );
  await expect(repeating).rejects.toBe(reason);
  expect(rounds).toEqual([1, 2]);
});
