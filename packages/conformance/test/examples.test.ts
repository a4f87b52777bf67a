import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Vm } from "@vipscore/core";
import { started } from "@vipscore/testkit/started";
import { readContractCode, scenarios, type ContractCode } from "../src/index.ts";
import { compileEvm, compileMoveFork, folderOf } from "./changedCode.ts";
import { firstBroken } from "./firstBroken.ts";
import { programScenarios } from "./programScenarios.ts";
import { openCode, startChain } from "./startChain.ts";
import { succeedsAtRandom } from "./succeedsAtRandom.ts";

/** Below the scores that a search prefers. */
const lowCap = { file: "../examples/contracts/CappedScores.sol", edits: [["1_000_000", "500"]] } as const;

/** The examples of changed contracts for authors, and an entry point of each. */
const examples: Readonly<Record<Vm, readonly [code: () => Promise<ContractCode>, entryPoint: string]>> = {
  evm: [() => compileEvm("examples/contracts/CappedScores.sol", [lowCap]), "updateScores(uint64,address[],uint64[])"],
  move: [() => compileMoveFork("fork/mean_score.patch"), "update_score_script"],
  wasm: [() => readContractCode(join(folderOf("wasm"), "examples/awards/artifacts/awards.wasm")), "award"],
};

describe.each(["evm", "move", "wasm"] as const)("%s", (vm) => {
  const [code, entryPoint] = examples[vm];
  const tested = started(() => openCode(vm, code));

  test("the example has an entry point of its own, which succeeds", async () => {
    expect(await (await tested.subject.deploy()).entryPoints()).toContain(entryPoint);
    expect(await succeedsAtRandom(tested.subject, entryPoint)).toBe(true);
  });

  test.each(programScenarios)("the example keeps $id", async (scenario) => {
    expect(await firstBroken(tested.subject, [scenario])).toBeUndefined();
  });
});

test("a game on wasm, which calls a scoring contract, is called one", async () => {
  await using chain = await startChain("wasm");
  const game = await readContractCode(join(folderOf("wasm"), "examples/arena/artifacts/arena.wasm"));
  await expect(chain.open(game)).rejects.toMatchObject({
    code: "INPUT_INVALID",
    message: expect.stringMatching(/\bgame\b/) as string,
  });
});

test("what a changed contract refuses is named by its interface, without a stack", async () => {
  await using tested = await openCode("evm", examples.evm[0]);
  const broken = await firstBroken(
    tested.subject,
    scenarios.filter(({ id }) => id === "client.concurrent-writer"),
  );
  expect(broken?.seen).toMatch(/\bScoreAboveCap\(1, 0x/);
  expect(broken?.seen).not.toMatch(/\.[jt]s:\d/);
});

describe("our sources with another optimizer, which takes more gas", () => {
  const tested = started(() => openCode("evm", () => compileEvm("src/VipScore.sol", [])));
  const areas = scenarios.filter(({ area }) => area === "client" || area === "idempotence");

  test.each(areas)("keep $id", async (scenario) => {
    expect(await firstBroken(tested.subject, [scenario])).toBeUndefined();
  });
});
