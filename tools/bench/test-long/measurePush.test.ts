import { expect, test } from "vitest";
import type { Vm } from "@vipscore/core";
import { measurePush } from "../src/measurePush.ts";

test.each<readonly [Vm, number]>([
  ["evm", 2_000],
  ["move", 14_000],
  ["wasm", 10_000],
])("several batches both ways on %s, %i rows", async (vm, rows) => {
  const node = { blockTimeMs: 100, mempool: "classic", store: "memory" } as const;
  const { ours, tutorial } = await measurePush({ vm, case: "new", rows, rounds: 1, ...node, oursOnly: false });
  expect(ours.batches).toBeGreaterThan(1);
  expect(ours.rowsPerBatch).toBeLessThan(rows);
  expect(ours.setbacks).toBe(0);
  // The library's estimation refused a larger batch.
  expect(tutorial?.batches).toBeGreaterThan(1);
  expect(tutorial?.limit).toMatch(/gas/);
});
