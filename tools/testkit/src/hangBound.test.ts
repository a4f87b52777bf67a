import { expect, test } from "vitest";
import { hangBoundMs, hangBoundOf } from "./hangBound.ts";

test("a test of many runs is bounded by them, and by the longest timer of Node", () => {
  expect(hangBoundOf(3)).toBe(3 * hangBoundMs);
  expect(hangBoundOf(1_000_000)).toBe(2 ** 31 - 1);
});
