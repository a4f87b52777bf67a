import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { toEventSelector, toEventSignature, toFunctionSelector, toFunctionSignature, type Abi } from "viem";
import { formatAbiItem } from "viem/utils";
import { expect, inject, test } from "vitest";
import { vipScoreAbi, vipScoreBytecode } from "../src/index.ts";

/**
 * The interface that VIP agents and explorers use to read the contract, as published with Initia's VIP integration
 * guide. The contract may add to it, but must not change it.
 */
const functions = [
  ["0x45a2b96b", "updateScores(uint64,address[],uint64[])", "nonpayable", ""],
  ["0xd3f942c3", "updateScore(uint64,address,uint64)", "nonpayable", ""],
  ["0xdab73a86", "increaseScore(uint64,address,uint64)", "nonpayable", ""],
  ["0x3482ec7f", "decreaseScore(uint64,address,uint64)", "nonpayable", ""],
  ["0x17abbd50", "finalizeStage(uint64)", "nonpayable", ""],
  ["0x9da21167", "addAllowList(address)", "nonpayable", ""],
  ["0xca480c30", "removeAllowList(address)", "nonpayable", ""],
  ["0xe1097249", "initStage()", "view", "uint64"],
  ["0x977e9404", "stages(uint64)", "view", "uint64 stage,uint64 totalScore,bool isFinalized"],
  ["0x5466d83d", "scores(uint64,address)", "view", "bool isIndexed,uint64 amount"],
  ["0x2848aeaf", "allowList(address)", "view", "bool"],
  ["0x990357e5", "getScores(uint64,uint64,uint64)", "view", "(address addr,uint64 amount,uint64 index)[]"],
] as const;

const events = [
  ["0xa3b29f5280040d753fd51383140f1a15f5740432a66e6e0543e99119f3c4522e", "CreateStage(uint64)", ""],
  ["0xcadfe6a64e10152f3376a443fde9c4663759d6f8e9afc95be75d74cbe5e25f9c", "FinalizeStage(uint64)", ""],
  [
    "0xaa223ecc7f67d3014d35d9d5e419dd09b7e4b2ae2d427d33b1995b38ecfefe8d",
    "UpdateScore(address,uint64,uint64,uint64)",
    "addr,stage",
  ],
] as const;

const errors = [
  ["0x17f323f3", "PermissionDenied(address)"],
  ["0x10310b19", "ZeroStage()"],
  ["0x7105075e", "AddrsAndAmountsLengthMistmatch()"],
  ["0x6271a685", "StageNotFound(uint64)"],
  ["0x5699f3ef", "StageFinalized(uint64)"],
] as const;

const file = new URL("../artifacts/VipScore.json", import.meta.url);
const artifact = JSON.parse(await readFile(file, "utf8")) as { readonly abi: Abi; readonly bytecode: string };

/** Parameters in Solidity's notation, with tuples expanded. */
function describeParameters(parameters: readonly object[]): string {
  return parameters
    .map((parameter) => {
      const { type, name, components } = parameter as { type: string; name?: string; components?: readonly object[] };
      const shown = components === undefined ? type : type.replace("tuple", `(${describeParameters(components)})`);
      return name === undefined || name === "" ? shown : `${shown} ${name}`;
    })
    .join(",");
}

test.each(functions)("function %s is %s", (selector, signature, mutability, outputs) => {
  const found = artifact.abi.filter((item) => item.type === "function" && toFunctionSelector(item) === selector);
  expect(found).toHaveLength(1);
  const [item] = found;
  if (item?.type !== "function") throw new Error("not a function");
  expect(toFunctionSignature(item)).toBe(signature);
  expect(item.stateMutability).toBe(mutability);
  expect(describeParameters(item.outputs)).toBe(outputs);
});

test.each(events)("event %s is %s", (topic, signature, indexed) => {
  const found = artifact.abi.filter((item) => item.type === "event" && toEventSelector(item) === topic);
  expect(found).toHaveLength(1);
  const [item] = found;
  if (item?.type !== "event") throw new Error("not an event");
  expect(toEventSignature(item)).toBe(signature);
  expect(
    item.inputs
      .filter((input) => input.indexed)
      .map((input) => input.name)
      .join(","),
  ).toBe(indexed);
});

test.each(errors)("error %s is %s", (selector, signature) => {
  const found = artifact.abi.filter(
    (item) => item.type === "error" && formatAbiItem(item).replaceAll(" ", "") === signature,
  );
  expect(found).toHaveLength(1);
  expect(toFunctionSelector(signature)).toBe(selector);
});

test("the constructor takes the first stage", () => {
  const item = artifact.abi.find(({ type }) => type === "constructor");
  if (item?.type !== "constructor") throw new Error("no constructor");
  expect(item.inputs.map(({ type }) => type)).toEqual(["uint64"]);
  expect(item.stateMutability).toBe("nonpayable");
});

test("the sources contain the artifact's ABI and code, and the digest matches the file", async () => {
  expect(vipScoreAbi).toEqual(artifact.abi);
  expect(vipScoreBytecode).toBe(artifact.bytecode);
  const digest = createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
  expect(await readFile(new URL(`${file.href}.sha256`), "utf8")).toBe(`${digest}  VipScore.json\n`);
});

test("the stored code of the reference's shape matches its compiled source", async () => {
  const text = await readFile(new URL("data/referenceShape.json", import.meta.url), "utf8");
  expect((JSON.parse(text) as { readonly bytecode: string }).bytecode).toBe(inject("contracts").reference.bytecode);
});
