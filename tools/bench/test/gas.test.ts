import { describe, expect, it } from "vitest";
import { measureEvmGas } from "../src/evmGas.ts";
import { measureMoveGas } from "../src/moveGas.ts";
import { measureWasmGas } from "../src/wasmGas.ts";

/** The cases with a target, and those that are only reported, which cost less than the reference. */
const benches = {
  evm: {
    measure: measureEvmGas,
    targets: ["new-500", "next-stage-500", "overwrite-500", "packed-500", "packed-overwrite-500"],
    reported: [],
  },
  move: {
    measure: measureMoveGas,
    targets: ["update-1000", "update-next-stage-1000", "batch-event-1000"],
    reported: ["tx-update-500", "tx-batch-event-500", "tx-overwrite-500", "tx-batch-event-overwrite-500"],
  },
  wasm: {
    measure: measureWasmGas,
    targets: ["first-sight-500", "next-stage-500", "packed-next-stage-500", "packed-overwrite-500"],
    reported: [
      "overwrite-500",
      "unsorted-next-stage-500",
      "spread-overwrite-500-of-10000",
      ...[1, 10, 100, 1_000, 2_000].map((rows) => `first-sight-${rows}`),
    ],
  },
};

describe.each(Object.entries(benches))("gas on %s", (_vm, { measure, targets, reported }) => {
  it("stays within the target of every case, and below the reference where there is none", async () => {
    const cases = await measure();
    const namesOf = (hasTarget: boolean) =>
      new Set(cases.filter(({ target }) => (target !== undefined) === hasTarget).map((one) => one.case));
    expect([namesOf(true), namesOf(false)]).toEqual([new Set(targets), new Set<string>(reported)]);
    expect(cases.filter(({ ratio, target }) => (target === undefined ? ratio >= 1 : ratio > target))).toEqual([]);
  });
});
