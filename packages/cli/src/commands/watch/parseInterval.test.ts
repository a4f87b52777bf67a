import { expect, test } from "vitest";
import { parseInterval } from "./command.ts";

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
