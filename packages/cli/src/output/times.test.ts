import { expect, test } from "vitest";
import { formatDuration, formatTime, formatTimeBetween } from "./times.ts";

test("times in UTC, to the minute", () => {
  expect(formatTime(new Date("2026-11-24T10:06:59.999Z"))).toBe("2026-11-24 10:06 UTC");
});

test.each([
  [0n, "0 s"],
  [45n, "45 s"],
  [60n, "1 min"],
  [119n, "1 min"],
  [3_600n, "1 h"],
  [3_599n, "59 min"],
  [90_061n, "1 d 1 h"],
  [86_460n, "1 d"],
  [273_600n, "3 d 4 h"],
])("%d seconds: %s", (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});

test("the time between two moments, in either order", () => {
  const moments = [new Date("2026-11-21T06:00:00Z"), new Date("2026-11-24T10:00:00.900Z")] as const;
  expect(formatTimeBetween(moments[0], moments[1])).toBe("3 d 4 h");
  expect(formatTimeBetween(moments[1], moments[0])).toBe("3 d 4 h");
});
