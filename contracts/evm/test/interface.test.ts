import {
  toEventSignature,
  toFunctionSelector,
  toFunctionSignature,
  type Abi,
  type AbiEvent,
  type AbiFunction,
} from "viem";
import { beforeAll, describe, expect, it } from "vitest";
import { loadHardhat } from "./loadHardhat.ts";

/** The interface of the reference contract (initia-labs/vip-score-evm) that readers use, with its selectors on chain. */
const PUBLISHED_FUNCTIONS = {
  "updateScores(uint64,address[],uint64[])": "0x45a2b96b",
  "updateScore(uint64,address,uint64)": "0xd3f942c3",
  "increaseScore(uint64,address,uint64)": "0xdab73a86",
  "decreaseScore(uint64,address,uint64)": "0x3482ec7f",
  "finalizeStage(uint64)": "0x17abbd50",
  "addAllowList(address)": "0x9da21167",
  "removeAllowList(address)": "0xca480c30",
  "initStage()": "0xe1097249",
  "stages(uint64)": "0x977e9404",
  "scores(uint64,address)": "0x5466d83d",
  "allowList(address)": "0x2848aeaf",
  "getScores(uint64,uint64,uint64)": "0x990357e5",
};
const PUBLISHED_ERRORS = {
  "PermissionDenied(address)": "0x17f323f3",
  "ZeroStage()": "0x10310b19",
  "AddrsAndAmountsLengthMistmatch()": "0x7105075e",
  "StageNotFound(uint64)": "0x6271a685",
  "StageFinalized(uint64)": "0x5699f3ef",
};
const PUBLISHED_EVENTS = {
  "CreateStage(uint64)": [],
  "FinalizeStage(uint64)": [],
  "UpdateScore(address,uint64,uint64,uint64)": ["addr", "stage"],
};
const PUBLISHED_OUTPUTS = {
  initStage: [["uint64", ""]],
  stages: [
    ["uint64", "stage"],
    ["uint64", "totalScore"],
    ["bool", "isFinalized"],
  ],
  scores: [
    ["bool", "isIndexed"],
    ["uint64", "amount"],
  ],
  allowList: [["bool", ""]],
};

describe.each(["VipScore", "ReferenceShape"])("the interface of %s", (name) => {
  let abi: Abi;

  beforeAll(async () => {
    abi = (await (await loadHardhat()).artifacts.readArtifact(name)).abi as Abi;
  });

  const functions = () => abi.filter((item): item is AbiFunction => item.type === "function");
  const errors = () =>
    abi
      .filter((item) => item.type === "error")
      .map((item) => ({ ...item, type: "function" as const, outputs: [], stateMutability: "pure" as const }));
  const signatures = (items: readonly AbiFunction[]) =>
    Object.fromEntries(items.map((item) => [toFunctionSignature(item), toFunctionSelector(item)]));

  it("has the published functions, events, errors and results", () => {
    expect(signatures(functions())).toMatchObject(PUBLISHED_FUNCTIONS);
    for (const item of functions().filter((found) => toFunctionSignature(found) in PUBLISHED_FUNCTIONS)) {
      expect(item.stateMutability).toBe(item.outputs.length === 0 ? "nonpayable" : "view");
    }
    expect(signatures(errors())).toMatchObject(PUBLISHED_ERRORS);
    const events = abi.filter((item): item is AbiEvent => item.type === "event");
    expect(
      Object.fromEntries(
        events.map((item) => [
          toEventSignature(item),
          item.inputs.filter(({ indexed }) => indexed).map((input) => input.name),
        ]),
      ),
    ).toMatchObject(PUBLISHED_EVENTS);
    for (const [view, outputs] of Object.entries(PUBLISHED_OUTPUTS)) {
      expect(
        functions()
          .find((item) => item.name === view)
          ?.outputs.map(({ type, name: output }) => [type, output ?? ""]),
      ).toEqual(outputs);
    }
    expect(functions().find((item) => item.name === "getScores")?.outputs).toMatchObject([
      {
        type: "tuple[]",
        components: [
          { name: "addr", type: "address" },
          { name: "amount", type: "uint64" },
          { name: "index", type: "uint64" },
        ],
      },
    ]);
    expect(abi.find((item) => item.type === "constructor")).toMatchObject({
      inputs: [{ type: "uint64" }],
      stateMutability: "nonpayable",
    });
  });
});

describe("the artifact", () => {
  it("has the same code wherever it is built, and fits a chain's limit", async () => {
    const artifact = await (await loadHardhat()).artifacts.readArtifact("VipScore");
    expect((artifact.deployedBytecode.length - 2) / 2).toBeLessThan(24_576);
    // No source hash at the end ("ipfs" in CBOR) and no value set by the constructor: deployed code equals this code.
    expect(artifact.deployedBytecode).not.toContain("69706673");
    expect(artifact.immutableReferences ?? {}).toEqual({});
    expect(artifact.inputSourceName).toBe("project/src/VipScore.sol");
  });
});
