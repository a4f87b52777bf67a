import { expect, it } from "vitest";
import { measureEvmGas } from "../src/evmGas.ts";

it("every case stays within its target", async () => {
  const cases = await measureEvmGas();
  expect(cases.map((one) => one.case)).toEqual([
    "new-500",
    "next-stage-500",
    "overwrite-500",
    "packed-500",
    "packed-overwrite-500",
  ]);
  const missed = cases.filter(({ ratio, target }) => target === undefined || ratio > target);
  expect(missed).toEqual([]);
});
