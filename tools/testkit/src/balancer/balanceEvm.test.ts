import { expect, test } from "vitest";
import { RpcRefusal, type CallMethod } from "../proxy/rpcCalls.ts";
import { evmReplica, type EvmFlavor } from "./balanceEvm.ts";

const head = 7n;

/** A replica at height 7 of a node with the given answers; records its requests. */
function replica(answers: (method: string, params: readonly unknown[]) => unknown, flavor: EvmFlavor = "minievm") {
  const requests: (readonly unknown[])[] = [];
  const upstream: CallMethod = (method, params) => {
    requests.push([method, ...(params as readonly unknown[])]);
    return Promise.resolve(answers(method, params as readonly unknown[]));
  };
  return { call: evmReplica(upstream, { head, flavor }), requests };
}

function refusal(message: string, code = -32000): RpcRefusal {
  return new RpcRefusal({ code, message });
}

test.each<[string, readonly unknown[], readonly unknown[]]>([
  ["eth_call", [{ to: "0x1" }, "latest"], [{ to: "0x1" }, "0x7"]],
  ["eth_call", [{ to: "0x1" }], [{ to: "0x1" }, "0x7"]],
  ["eth_getCode", ["0x1", "0x6"], ["0x1", "0x6"]],
  ["eth_getBalance", ["0x1", "pending"], ["0x1", "0x7"]],
  ["eth_getStorageAt", ["0x1", "0x0", "safe"], ["0x1", "0x0", "0x7"]],
  ["eth_getTransactionCount", ["0x1", "latest"], ["0x1", "0x7"]],
  ["eth_estimateGas", [{}], [{}, "0x7"]],
  ["eth_feeHistory", ["0x4", "latest", []], ["0x4", "0x7", []]],
  ["eth_getBlockByNumber", ["latest", false], ["0x7", false]],
  ["eth_sendRawTransaction", ["0xaa"], ["0xaa"]],
])("%s of %j asks the node for %j", async (method, params, wanted) => {
  const { call, requests } = replica(() => "its answer");
  expect(await call(method, params)).toBe("its answer");
  expect(requests).toEqual([[method, ...wanted]]);
});

test("its height is its head's, without a request", async () => {
  const { call, requests } = replica(() => "0x9");
  expect(await call("eth_blockNumber", [])).toBe("0x7");
  expect(requests).toEqual([]);
});

test.each<[EvmFlavor, string]>([
  ["minievm", "requested height is greater than the latest block height"],
  ["geth", "header not found"],
])("state above its head is refused as %s does", async (flavor, message) => {
  const { call, requests } = replica(() => "0x", flavor);
  await expect(call("eth_getCode", ["0x1", "0x8"])).rejects.toEqual(refusal(message));
  expect(requests).toEqual([]);
});

test("a silent replica answers for its head, and does not have the blocks above it", async () => {
  const { call, requests } = replica(() => "0x1", "silent");
  expect(await call("eth_getCode", ["0x1", "0x8"])).toBe("0x1");
  expect(requests).toEqual([["eth_getCode", "0x1", "0x7"]]);
  expect(await call("eth_getBlockByNumber", ["0x8", false])).toBeNull();
});

test("an unsupported method does not exist", async () => {
  const { call } = replica(() => "0x");
  const missing = refusal("the method evm_mine does not exist/is not available", -32601);
  await expect(call("evm_mine", [])).rejects.toEqual(missing);
});

test.each([
  ["eth_getTransactionReceipt", "blockNumber"],
  ["eth_getTransactionByHash", "blockNumber"],
  ["eth_getBlockByHash", "number"],
])("%s is null if the block is above the head", async (method, field) => {
  const answers: Record<string, unknown> = { above: { [field]: "0x8" }, at: { [field]: "0x7" }, none: null };
  const { call } = replica((_method, [hash]) => answers[String(hash)]);
  expect(await call(method, ["above"])).toBeNull();
  expect(await call(method, ["at"])).toEqual(answers["at"]);
  expect(await call(method, ["none"])).toBeNull();
});

test("a pending transaction is not in a block, so it is known", async () => {
  const pending = { hash: "0xaa", blockNumber: null };
  expect(await replica(() => pending).call("eth_getTransactionByHash", ["0xaa"])).toEqual(pending);
});

test("a block above the head is null", async () => {
  const { call, requests } = replica(() => ({}));
  expect(await call("eth_getBlockByNumber", ["0x8", false])).toBeNull();
  expect(requests).toEqual([]);
});

test("the pending nonce is that of its state plus the transactions in the node's pool", async () => {
  const counts: Record<string, string> = { "0x7": "0x3", latest: "0x5", pending: "0x6" };
  const { call } = replica((_method, [, block]) => counts[String(block)]);
  expect(await call("eth_getTransactionCount", ["0x1", "pending"])).toBe("0x4");
});

test("logs end at the head", async () => {
  const above = { blockNumber: "0x8" };
  const at = { blockNumber: "0x7" };
  const { call, requests } = replica(() => [at, above]);
  expect(await call("eth_getLogs", [{ fromBlock: "0x0", toBlock: "0x9" }])).toEqual([at]);
  expect(await call("eth_getLogs", [{ fromBlock: "0x8" }])).toEqual([]);
  expect(await call("eth_getLogs", [{ blockHash: "0xaa" }])).toEqual([at]);
  expect(requests).toEqual([
    ["eth_getLogs", { fromBlock: "0x0", toBlock: "0x7" }],
    ["eth_getLogs", { blockHash: "0xaa" }],
  ]);
});
