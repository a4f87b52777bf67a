import { expect, test } from "vitest";
import { InFlightLimit } from "./inFlightLimit.ts";

test("rises by one with each confirmation, up to half of a mempool's queue", () => {
  const limit = new InFlightLimit();
  expect(limit.limit).toBe(8);
  for (let n = 0; n < 100; n += 1) limit.confirmed();
  expect(limit.limit).toBe(32);
});

test("halves after a refusal, and never reaches 0", () => {
  const limit = new InFlightLimit();
  limit.failed();
  expect(limit.limit).toBe(4);
  for (let n = 0; n < 5; n += 1) limit.failed();
  expect(limit.limit).toBe(1);
});
