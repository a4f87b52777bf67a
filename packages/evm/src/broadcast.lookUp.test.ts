import { encodeErrorResult, numberToHex, parseAbi } from "viem";
import { expect, test } from "vitest";
import { vipScoreAbi } from "@vipscore/contracts-evm/abi";
import { NodeError } from "@vipscore/core";
import { waitForOutcome } from "@vipscore/core/engine";
import { RpcError } from "@vipscore/core/wire";
import { answeringRpc, refusal, scriptedRpc } from "../test/scriptedRpc.ts";
import { lookUp, simulate } from "./broadcast.ts";

const hash = `0x${"ab".repeat(32)}`;
const failed = { blockNumber: "0x10", gasUsed: "0x5208", status: "0x0" };
const transaction = { from: "0x01", to: "0x02", input: "0x", gas: numberToHex(100_000n) };
const sent = { hash, sequence: 1n };
const status = { state: "included", succeeded: false, height: 16n, gasUsed: 21_000n };

test("a transaction is pending until it has a receipt", async () => {
  const none = { eth_getTransactionReceipt: null };
  expect(await lookUp(scriptedRpc({ ...none, eth_getTransactionByHash: null }), hash, undefined)).toEqual({
    state: "unknown",
  });
  const pending = scriptedRpc({ ...none, eth_getTransactionByHash: transaction });
  expect(await lookUp(pending, hash, undefined)).toEqual({ state: "pending" });
  const included = scriptedRpc({ eth_getTransactionReceipt: { ...failed, status: "0x1" } });
  expect(await lookUp(included, hash, undefined)).toEqual({ ...status, succeeded: true });
});

test("the contract's error is named where the node gives revert data", async () => {
  const data = encodeErrorResult({ abi: vipScoreAbi, errorName: "StageFinalized", args: [7n] });
  const eth_call = new RpcError("http://scripted", "eth_call", { code: 3, message: "execution reverted", data });
  const rpc = scriptedRpc({ eth_getTransactionReceipt: failed, eth_getTransactionByHash: transaction, eth_call });
  const reason = { code: "STAGE_FINALIZED", details: "StageFinalized(7)" };
  expect(await lookUp(rpc, hash, undefined)).toEqual({ ...status, ...reason });
});

test.each<[string, (data: string) => unknown]>([
  ["Hardhat", (data) => ({ message: "reverted", data })],
  ["a wallet before it", (data) => ({ data: { message: "reverted", data } })],
])("revert data is found where %s puts it", async (_, nest) => {
  const data = nest(encodeErrorResult({ abi: vipScoreAbi, errorName: "StageFinalized", args: [7n] }));
  const eth_call = new RpcError("http://scripted", "eth_call", { code: -32603, message: "VM Exception", data });
  const rpc = scriptedRpc({ eth_getTransactionReceipt: failed, eth_getTransactionByHash: transaction, eth_call });
  expect(await lookUp(rpc, hash, undefined)).toMatchObject({ code: "STAGE_FINALIZED" });
});

test("an unreadable receipt is read again", async () => {
  const succeeded = { ...failed, status: "0x1" };
  const rpc = answeringRpc({}, { ...succeeded, gasUsed: "much" }, succeeded);
  expect(await lookUp(rpc, hash, undefined)).toEqual({ ...status, succeeded: true });
  expect(rpc.asked).toHaveLength(3);
});

test("a receipt without a status is refused at once, and what a transaction cost is read", async () => {
  const { status: _, ...bare } = failed;
  const rpc = answeringRpc(bare);
  await expect(lookUp(rpc, hash, undefined)).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
  expect(rpc.asked).toHaveLength(1);
  const waiting = waitForOutcome({ lookUp: () => lookUp(rpc, hash, undefined), broadcast: async () => {} }, sent);
  await expect(waiting).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
  expect(rpc.asked).toHaveLength(2);
  const priced = scriptedRpc({ eth_getTransactionReceipt: { ...failed, status: "0x1", effectiveGasPrice: "0x3" } });
  expect(await lookUp(priced, hash, undefined)).toEqual({ ...status, succeeded: true, fee: 63_000n });
});

test("a failure on minievm has no code", async () => {
  const eth_call = refusal("Reverted");
  const rpc = scriptedRpc({ eth_getTransactionReceipt: failed, eth_getTransactionByHash: transaction, eth_call });
  expect(await lookUp(rpc, hash, undefined)).toEqual({ ...status, details: "Reverted" });
});

test.each([
  [
    "the node no longer has the state",
    { eth_getTransactionByHash: transaction, eth_call: refusal("missing trie node") },
  ],
  ["the call succeeds on the previous state", { eth_getTransactionByHash: transaction, eth_call: "0x" }],
  ["the node no longer has the transaction", { eth_getTransactionByHash: null }],
])("the reason stays unknown when %s", async (_, answers) => {
  const rpc = scriptedRpc({ eth_getTransactionReceipt: failed, ...answers });
  expect(await lookUp(rpc, hash, undefined)).toEqual(status);
});

test("a transaction that used its whole limit ran out of gas", async () => {
  const rpc = scriptedRpc({
    eth_getTransactionReceipt: failed,
    eth_getTransactionByHash: { ...transaction, gas: "0x5208" },
  });
  expect(await lookUp(rpc, hash, undefined)).toMatchObject({
    details: expect.stringMatching(/\b21000$/) as string,
  });
});

test("an endpoint that fails is not a failed transaction", async () => {
  const silence = new NodeError("silence", { code: "NODE_UNREACHABLE" });
  const rpc = scriptedRpc({
    eth_getTransactionReceipt: failed,
    eth_getTransactionByHash: transaction,
    eth_call: silence,
  });
  await expect(lookUp(rpc, hash, undefined)).rejects.toBe(silence);
  const nonsense = scriptedRpc({ eth_getTransactionReceipt: "0x1" });
  await expect(lookUp(nonsense, hash, undefined)).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
});

test("a simulation names the errors of another contract, and shows the data of unknown ones", async () => {
  const errors = parseAbi(["error AboveCap(address,uint64)"]);
  const data = encodeErrorResult({ abi: errors, args: [`0x${"ab".repeat(20)}`, 7n] });
  // As geth answers.
  const eth_call = new RpcError("http://scripted", "eth_call", { code: 3, message: "execution reverted", data });
  const run = async (own: typeof errors | []) =>
    simulate(scriptedRpc({ eth_call }), { from: "0x01", data: "0x" }, undefined, own);
  const named = expect.stringMatching(/^AboveCap\(0x(ab){20}, 7\)$/i) as string;
  expect(await run(errors)).toEqual({ state: "refused", details: named });
  const unnamed = expect.stringContaining(data.slice(0, 10)) as string;
  expect(await run([])).toEqual({ state: "refused", isUnnamed: true, details: unnamed });
});

test.each([
  ["no such method", undefined],
  ["too little gas", refusal("out of gas")],
  ["too little gas on minievm", refusal("vm panic: {EVM gas consumption}: EVM call failed")],
  ["too many calls", refusal("rate limit exceeded", -32005)],
  ["no answer", new NodeError("no answer", { code: "NODE_UNREACHABLE" })],
])("a simulation says nothing about the contract: %s", async (_, eth_call) => {
  const rpc = scriptedRpc(eth_call === undefined ? {} : { eth_call });
  expect(await simulate(rpc, { from: "0x01", data: "0x" }, undefined, [])).toEqual({ state: "unknown" });
  expect(rpc.asked).toHaveLength(1);
});
