import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Vm } from "@vipscore/core";
import { started } from "@vipscore/testkit/started";
import { readContractCode, scenarios, type ContractCode } from "../src/index.ts";
import { compileEvm, compileMoveFork, folderOf } from "./changedCode.ts";
import { firstBroken } from "./firstBroken.ts";
import { startChain } from "./startChain.ts";
import { succeedsAtRandom } from "./succeedsAtRandom.ts";

/** The examples of changed contracts for authors, and an entry point of each. */
const examples: Readonly<Record<Vm, readonly [code: () => Promise<ContractCode>, entryPoint: string]>> = {
  evm: [() => compileEvm("examples/contracts/CappedScores.sol", []), "updateScores(uint64,address[],uint64[])"],
  move: [() => compileMoveFork("fork/mean_score.patch"), "update_score_script"],
  wasm: [() => readContractCode(join(folderOf("wasm"), "examples/awards/artifacts/awards.wasm")), "award"],
};

describe.each(["evm", "move", "wasm"] as const)("%s", (vm) => {
  const chain = started(() => startChain(vm));

  test("the example of a changed contract keeps the program's rules", async () => {
    const [code, entryPoint] = examples[vm];
    const subject = await chain.open(await code());
    expect(await (await subject.deploy()).entryPoints()).toContain(entryPoint);
    expect(await succeedsAtRandom(subject, entryPoint)).toBe(true);
    const program = scenarios.filter(({ area }) => area === "program");
    expect(await firstBroken(subject, program)).toBeUndefined();
  });
});

test("our sources keep the rules with another optimizer, which takes more gas", async () => {
  const chain = await startChain("evm");
  try {
    const subject = await chain.open(await compileEvm("src/VipScore.sol", []));
    const areas = scenarios.filter(({ area }) => area === "client" || area === "idempotence");
    expect(await firstBroken(subject, areas)).toBeUndefined();
  } finally {
    await chain[Symbol.asyncDispose]();
  }
});
