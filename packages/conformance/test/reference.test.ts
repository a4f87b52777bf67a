import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Vm } from "@vipscore/core";
import { started } from "@vipscore/testkit/started";
import { publishedCode, readContractCode, type ContractCode } from "../src/index.ts";
import { compileEvm, compileMove, folderOf } from "./changedCode.ts";
import { firstBroken } from "./firstBroken.ts";
import { programScenarios } from "./programScenarios.ts";
import { openCode } from "./startChain.ts";
import { succeedsAtRandom } from "./succeedsAtRandom.ts";

/** Contracts with the published interface alone, and the faults of the reference contracts. */
const references: Readonly<Record<Vm, () => Promise<ContractCode>>> = {
  evm: () => compileEvm("fixtures/ReferenceShape.sol", []),
  move: () => compileMove("test/reference_shape", []),
  wasm: () => readContractCode(join(folderOf("wasm"), "reference_shape/artifacts/reference_shape.wasm")),
};

/** The published entry points that write to a stage. */
const writing: Readonly<Record<Vm, readonly string[]>> = {
  evm: [
    "updateScores(uint64,address[],uint64[])",
    "updateScore(uint64,address,uint64)",
    "increaseScore(uint64,address,uint64)",
    "finalizeStage(uint64)",
  ],
  move: ["update_score_script", "update_score", "increase_score", "finalize_script"],
  wasm: ["update_scores", "update_score", "increase_score", "finalize_stage"],
};

/**
 * Scenarios that find faults of the reference contracts themselves, which change a finalized stage: on Wasm another finalize of a
 * stage resets the total of the next one, finalized or not.
 */
const faultsOf: Readonly<Record<Vm, readonly string[]>> = {
  evm: ["program.finalized-sequences"],
  move: [],
  wasm: ["program.finalized-random", "program.finalized-sequences"],
};

describe.each(["evm", "move", "wasm"] as const)("%s", (vm) => {
  const reference = started(() => openCode(vm, references[vm]));
  const program = programScenarios.filter(({ id }) => !faultsOf[vm].includes(id));

  test.each(program)("a contract with the published interface alone keeps $id", async (scenario) => {
    expect(await firstBroken(reference.subject, [scenario])).toBeUndefined();
  });
});

describe.each(["evm", "move", "wasm"] as const)("%s", (vm) => {
  const ours = started(() => openCode(vm, () => publishedCode(vm)));

  test("random arguments are such that each entry point that writes to a stage succeeds", async () => {
    const { subject } = ours;
    expect(await (await subject.deploy()).entryPoints()).toEqual(expect.arrayContaining([...writing[vm]]));
    for (const name of writing[vm]) {
      expect({ name, succeeds: await succeedsAtRandom(subject, name) }).toEqual({ name, succeeds: true });
    }
  });
});
