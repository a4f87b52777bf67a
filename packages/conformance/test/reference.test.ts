import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Vm } from "@vipscore/core";
import { started } from "@vipscore/testkit/started";
import { readContractCode, scenarios, type ContractCode } from "../src/index.ts";
import { compileEvm, compileMove, folderOf } from "./changedCode.ts";
import { firstBroken } from "./firstBroken.ts";
import { openCode } from "./startChain.ts";

/** Contracts with the published interface alone, and the faults of the reference contracts. */
const references: Readonly<Record<Vm, () => Promise<ContractCode>>> = {
  evm: () => compileEvm("fixtures/ReferenceShape.sol", []),
  move: () => compileMove("test/reference_shape", []),
  wasm: () => readContractCode(join(folderOf("wasm"), "reference_shape/artifacts/reference_shape.wasm")),
};

describe.each(["evm", "move", "wasm"] as const)("%s", (vm) => {
  const reference = started(() => openCode(vm, references[vm]));

  test.each(scenarios.filter(({ area }) => area === "program"))(
    "a contract with the published interface alone keeps $id",
    async (scenario) => {
      expect(await firstBroken(reference.subject, [scenario])).toBeUndefined();
    },
  );
});
