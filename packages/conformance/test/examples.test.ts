import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Vm } from "@vipscore/core";
import { started } from "@vipscore/testkit/started";
import { readContractCode, scenarios, type ContractCode } from "../src/index.ts";
import { compileEvm, compileMoveFork, folderOf } from "./changedCode.ts";
import { firstBroken } from "./firstBroken.ts";
import { openCode, startChain } from "./startChain.ts";

/** Below most of the scores that scenarios of our own rules write. */
const lowCap = { file: "../examples/contracts/CappedScores.sol", edits: [["1_000_000", "500"]] } as const;

/** The examples of changed contracts for authors. */
const examples: Readonly<Record<Vm, () => Promise<ContractCode>>> = {
  evm: () => compileEvm("examples/contracts/CappedScores.sol", [lowCap]),
  move: () => compileMoveFork("fork/mean_score.patch"),
  wasm: () => readContractCode(join(folderOf("wasm"), "examples/awards/artifacts/awards.wasm")),
};

const tested = {
  evm: started(() => openCode("evm", examples.evm)),
  move: started(() => openCode("move", examples.move)),
  wasm: started(() => openCode("wasm", examples.wasm)),
};

describe.each(["evm", "move", "wasm"] as const)("%s", (vm) => {
  test.each(scenarios.filter(({ area }) => area === "program"))("the example keeps $id", async (scenario) => {
    expect(await firstBroken(tested[vm].subject, [scenario])).toBeUndefined();
  });
});

test("what a changed contract refuses is named by its interface, without a stack", async () => {
  const push = scenarios.filter(({ id }) => id === "client.push-verify-finalize");
  const broken = await firstBroken(tested.evm.subject, push);
  expect(broken?.seen).toMatch(/\bScoreAboveCap\(1, 0x/);
  expect(broken?.seen).not.toMatch(/\.[jt]s:\d/);
});

test("a game on wasm, which calls a scoring contract, is called one", async () => {
  await using chain = await startChain("wasm");
  const game = await readContractCode(join(folderOf("wasm"), "examples/arena/artifacts/arena.wasm"));
  await expect(chain.open(game)).rejects.toMatchObject({
    code: "INPUT_INVALID",
    message: expect.stringMatching(/\bgame\b/) as string,
  });
});

describe("our sources with another optimizer, which takes more gas", () => {
  const costly = started(() => openCode("evm", () => compileEvm("src/VipScore.sol", [])));
  const areas = scenarios.filter(({ area }) => area === "client" || area === "idempotence");

  test.each(areas)("keep $id", async (scenario) => {
    expect(await firstBroken(costly.subject, [scenario])).toBeUndefined();
  });
});
