import { describe, expect, test } from "vitest";
import type { Vm } from "@vipscore/core";
import { started } from "@vipscore/testkit/started";
import { scenarios } from "../src/index.ts";
import { reportOf } from "../src/report.ts";
import { evmFaults } from "../test/faults/evmFaults.ts";
import type { Fault } from "../test/faults/fault.ts";
import { moveFaults } from "../test/faults/moveFaults.ts";
import { ownEvmFaults, ownMoveFaults } from "../test/faults/ownFunctionFaults.ts";
import { wasmFaults } from "../test/faults/wasmFaults.ts";
import { firstBroken } from "../test/firstBroken.ts";
import { startChain } from "../test/startChain.ts";

describe.each<readonly [Vm, readonly Fault[]]>([
  ["evm", [...evmFaults, ...ownEvmFaults]],
  ["move", [...moveFaults, ...ownMoveFaults]],
  ["wasm", wasmFaults],
])("%s", (vm, faults) => {
  // Prints the seed.
  const chain = started(() => startChain(vm));

  test.each(faults)("$rule: $fault", async ({ code, rule, named }) => {
    const changed = await code();
    const subject = await chain.open(changed);
    if (named !== undefined && subject.toRead.some((line) => named.test(line))) return;
    const finders = scenarios.filter(({ rules }) => rules.some((one) => one === rule));
    const found = await firstBroken(subject, finders);
    if (named === undefined) {
      expect(found, "the scenario that found the fault").toBeDefined();
      return;
    }
    const { toRead } = await reportOf(subject, changed, [], { exceptions: new Map(), seconds: 0 });
    expect(toRead).toContainEqual(expect.stringMatching(named));
  });
});
