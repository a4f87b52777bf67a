import { expect, it } from "vitest";
import { measureWasmGas } from "../src/wasmGas.ts";

it("every case on Wasm stays within its target", async () => {
  const cases = await measureWasmGas();
  expect(cases.map((one) => one.case)).toEqual([
    "first-sight-500",
    "next-stage-500",
    "overwrite-500",
    "packed-next-stage-500",
    "packed-overwrite-500",
    "unsorted-next-stage-500",
    "spread-overwrite-500-of-10000",
    "first-sight-1",
    "first-sight-10",
    "first-sight-100",
    "first-sight-1000",
    "first-sight-2000",
  ]);
  const missed = cases.filter(({ ratio, target }) => target !== undefined && ratio > target);
  expect(missed).toEqual([]);
  // Nothing costs more than the reference, even without a target.
  expect(cases.filter(({ ratio }) => ratio >= 1)).toEqual([]);
});
