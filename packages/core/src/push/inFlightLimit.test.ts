import { expect, test } from "vitest";
import { InFlightLimit } from "./inFlightLimit.ts";

test("more transactions with each that is confirmed, up to half of what a mempool queues", () => {
  const limit = new InFlightLimit();
  expect(limit.limit).toBe(8);
  for (let n = 0; n < 100; n += 1) limit.confirmed();
  expect(limit.limit).toBe(32);
});

test("half as many after a refusal, and never none", () => {
  const limit = new InFlightLimit();
  limit.refused();
  expect(limit.limit).toBe(4);
  for (let n = 0; n < 5; n += 1) limit.refused();
  expect(limit.limit).toBe(1);
});
