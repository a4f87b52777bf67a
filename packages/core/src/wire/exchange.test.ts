import { expect, test } from "vitest";
import { readRetryAfter } from "./exchange.ts";

const at = "Sun, 22 Nov 2026 08:00:00 GMT";
const later = "Sun, 22 Nov 2026 08:00:05 GMT";

test.each<[string, Record<string, string>, number]>([
  ["seconds", { "retry-after": "7" }, 7_000],
  ["a date, by the endpoint's clock", { "retry-after": later, date: at }, 5_000],
  ["a date that has passed", { "retry-after": at, date: later }, 0],
  ["an old date without a clock", { "retry-after": "Sun, 22 Nov 2020 08:00:00 GMT" }, 0],
  ["nothing", {}, 0],
  ["something else", { "retry-after": "soon" }, 0],
  ["a negative number", { "retry-after": "-5" }, 0],
])("Retry-After: %s", (_, headers, milliseconds) => {
  expect(readRetryAfter(new Headers(headers))).toBe(milliseconds);
});
