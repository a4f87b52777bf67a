import { expect, test } from "vitest";
import type { Answer } from "@vipscore/core/wire";
import { scriptedRpc } from "../test/scriptedRpc.ts";
import { openHeights, providerRpc } from "./openRpc.ts";

const whole = (answer: Answer): unknown => answer.value;

test("a request reaches the provider", async () => {
  const rpc = providerRpc({ request: async ({ method, params }) => ({ method, params }) });
  expect(await rpc.read("eth_call", [1], whole)).toEqual({ method: "eth_call", params: [1] });
});

test("a provider's error with a numeric code is the node's", async () => {
  const fault = Object.assign(new Error("execution reverted"), { code: 3, data: "0x01" });
  const rpc = providerRpc({ request: () => Promise.reject(fault) });
  await expect(rpc.read("eth_call", [], whole)).rejects.toMatchObject({
    code: "NODE_ERROR",
    rpcCode: 3,
    data: "0x01",
  });
});

test("any other error of a provider means that the endpoint does not answer; a read is retried", async () => {
  let requests = 0;
  const request = () => ((requests += 1) === 1 ? Promise.reject(new Error("socket closed")) : Promise.resolve("0x1"));
  const rpc = providerRpc({ request });
  expect(await rpc.read("eth_chainId", [], whole)).toBe("0x1");
  requests = 0;
  await expect(rpc.send("eth_sendRawTransaction", [], whole)).rejects.toMatchObject({
    code: "NODE_UNREACHABLE",
  });
});

test("a read is retried after an unreadable answer, a transaction is sent once", async () => {
  const answers = [null, "0x", "0x1f"];
  const rpc = providerRpc({ request: () => Promise.resolve(answers.shift()) });
  const quantity = (answer: Answer): bigint => answer.quantity();
  expect(await rpc.read("eth_chainId", [], quantity)).toBe(31n);
  await expect(rpc.send("eth_sendRawTransaction", [], quantity)).rejects.toMatchObject({
    code: "NODE_BAD_RESPONSE",
    shortMessage: expect.stringContaining("eth_sendRawTransaction") as string,
  });
});

test("an abort stops waiting for a provider, with the caller's reason", async () => {
  const caller = new AbortController();
  const rpc = providerRpc({ request: () => new Promise(() => {}) });
  const request = rpc.read("eth_chainId", [], whole, caller.signal);
  const reason = new Error("enough");
  caller.abort(reason);
  await expect(request).rejects.toBe(reason);
  await expect(rpc.read("eth_chainId", [], whole, caller.signal)).rejects.toBe(reason);
});

test("a height whose state is committed is checked once, without asking for the connection's own transaction", async () => {
  const hash = `0x${"ab".repeat(32)}`;
  const rpc = scriptedRpc({
    eth_blockNumber: "0x5",
    eth_getBlockByNumber: { transactions: [hash] },
    eth_getTransactionCount: "0x8",
  });
  const heights = openHeights(rpc, new Map([[hash, { from: "0x01", nonce: 7n }]]));
  expect([await heights.getHeight(), await heights.getHeight()]).toEqual([5n, 5n]);
  expect(rpc.asked).toEqual(["eth_blockNumber", "eth_getBlockByNumber", "eth_getTransactionCount", "eth_blockNumber"]);
});
