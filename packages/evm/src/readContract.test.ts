import { readFileSync } from "node:fs";
import { encodeFunctionResult, keccak256 } from "viem";
import { expect, test } from "vitest";
import { vipScoreAbi } from "@vipscore/contracts-evm/abi";
import { allFeatures, noFeatures } from "@vipscore/core/engine";
import { accountOf } from "@vipscore/testkit/adapter/rows";
import { answeringRpc, scriptedRpc } from "../test/scriptedRpc.ts";
import { readIds } from "./gasModel.ts";
import { identifyContract } from "./identifyContract.ts";
import { probeContract, readContract } from "./readContract.ts";
import { readControl } from "./vipScoreState.ts";

const abi = vipScoreAbi;
const address = "0x8E88A58b6912513002Ec36023CBCe51106ee3573";
/** The deployed code of our contract. */
const { deployedBytecode: code } = JSON.parse(
  readFileSync(new URL("../artifacts/VipScore.json", import.meta.url), "utf8"),
) as { readonly deployedBytecode: `0x${string}` };
const seven = encodeFunctionResult({ abi, functionName: "initStage", result: 7n });

test("a call is retried if its answer cannot be decoded", async () => {
  const rpc = answeringRpc(null, "0x7", "0x07", seven);
  expect(await readContract({ rpc, address }, "initStage", [])).toBe(7n);
  expect(rpc.asked).toHaveLength(4);
});

test("a call is retried if it returns ids for fewer accounts than requested", async () => {
  const idsOf = (...result: number[]) => encodeFunctionResult({ abi, functionName: "idsOf", result });
  const rpc = answeringRpc(idsOf(5), idsOf(5, 0));
  const accounts = [accountOf(1), accountOf(2)];
  expect(await readIds({ rpc, address }, accounts, {})).toEqual([5, 0]);
});

test("an answer that stays unreadable names the endpoint, the request and the function", async () => {
  const rpc = scriptedRpc({ eth_call: "0x07" });
  await expect(readContract({ rpc, address }, "initStage", [])).rejects.toMatchObject({
    code: "NODE_BAD_RESPONSE",
    shortMessage: expect.stringMatching(/^http:\/\/scripted .*\beth_call\b.*\binitStage\b/) as string,
    details: "0x07",
  });
});

test("a call with an empty answer is not retried", async () => {
  const rpc = answeringRpc("0x", seven);
  await expect(readContract({ rpc, address }, "initStage", [])).rejects.toMatchObject({ code: "CONTRACT_NOT_FOUND" });
  expect(rpc.asked).toHaveLength(1);
});

test.each(["0x", "0x07"])("an unknown contract that answers %s is not asked again", async (answer) => {
  const rpc = answeringRpc(answer, seven);
  expect(await probeContract({ rpc, address }, "initStage", [], {})).toBeUndefined();
  expect(rpc.asked).toHaveLength(1);
});

test("code and answers that are not bytes say nothing about an unknown contract", async () => {
  const stage = encodeFunctionResult({ abi, functionName: "stages", result: [7n, 0n, false] });
  const version = encodeFunctionResult({ abi, functionName: "contractVersion", result: "1.0.0" });
  const rpc = answeringRpc(null, code, null, seven, 7, stage, "0x7", version);
  expect(await identifyContract({ rpc, address }, {})).toEqual({
    version: "1.0.0",
    code: keccak256(code),
    features: allFeatures,
    isProxy: false,
  });
});

test.each([
  ["ERC-1967", "0x6080", [`0x${"00".repeat(12)}${"ab".repeat(20)}`], true],
  ["ERC-1167", `0x363d3d373d3d3d363d73${"ab".repeat(20)}5af43d82803e903d91602b57fd5bf3`, [], false],
])("a proxy of %s has the features of the code that it runs", async (_, proxy, slots, isProxy) => {
  const stage = encodeFunctionResult({ abi, functionName: "stages", result: [7n, 0n, false] });
  const version = encodeFunctionResult({ abi, functionName: "contractVersion", result: "2.1.0-acme" });
  const rpc = answeringRpc(proxy, seven, stage, version, ...slots, code);
  expect(await identifyContract({ rpc, address }, {})).toEqual({
    version: "2.1.0-acme",
    code: keccak256(code),
    features: allFeatures,
    isProxy,
  });
});

test("a contract that is neither complete nor a proxy has no features", async () => {
  const stage = encodeFunctionResult({ abi, functionName: "stages", result: [7n, 0n, false] });
  const rpc = answeringRpc("0x6080", seven, stage, "0x", `0x${"00".repeat(32)}`);
  expect(await identifyContract({ rpc, address }, {})).toEqual({
    version: undefined,
    code: keccak256("0x6080"),
    features: noFeatures,
    isProxy: false,
  });
});

test.each([
  ["none", undefined, false, []],
  ["its admin", `0x${"ad".repeat(20)}`, true, [`0x${"00".repeat(12)}${"ad".repeat(20)}`]],
  ["whom the implementation names", "implementation", true, [`0x${"00".repeat(32)}`]],
])("the code of a contract can be replaced by %s", async (_, codeAdmin, isProxy, slots) => {
  const encoded = (functionName: "owner" | "pendingOwner" | "finalizer") =>
    encodeFunctionResult({ abi, functionName, result: address });
  const canManage = encodeFunctionResult({ abi, functionName: "membersCanManage", result: true });
  const rpc = answeringRpc(encoded("owner"), encoded("pendingOwner"), encoded("finalizer"), canManage, ...slots);
  expect(await readControl({ rpc, address }, isProxy, { height: 7n })).toMatchObject({ codeAdmin });
});
