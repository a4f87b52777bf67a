import { expect, it } from "vitest";
import { measureMoveGas } from "../src/moveGas.ts";

it("every case on Move stays within its target", async () => {
  const cases = await measureMoveGas();
  expect(cases.map((one) => one.case)).toEqual([
    "update-1000",
    "update-next-stage-1000",
    "batch-event-1000",
    "tx-update-500",
    "tx-batch-event-500",
    "tx-overwrite-500",
    "tx-batch-event-overwrite-500",
  ]);
  const missed = cases.filter(({ ratio, target }) => target !== undefined && ratio > target);
  expect(missed).toEqual([]);
  // Nothing costs more than the reference, even without a target.
  expect(cases.filter(({ ratio }) => ratio >= 1)).toEqual([]);
});
