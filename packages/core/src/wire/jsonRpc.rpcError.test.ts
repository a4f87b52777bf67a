import { expect, test } from "vitest";
import { isCallFailure, isRequestFault, RpcError, type RpcErrorAnswer } from "./jsonRpc.ts";
import { QueryError } from "./queryChain.ts";
import { isBehind } from "./retryRead.ts";

const errorOf = (answer: RpcErrorAnswer): RpcError => new RpcError("http://node", "eth_call", answer);

test.each<[string, RpcErrorAnswer]>([
  ["an error without a reason", { code: -32603, message: "Internal error" }],
  ["an empty error", {}],
  ["a limit", { code: -32005, message: "daily request count exceeded" }],
  ["a limit in words", { code: -32000, message: "rate limit reached" }],
  ["a limit in other words", { code: -32007, message: "25/second request limit reached" }],
  ["a code that nobody knows", { code: -31999, message: "quux 17" }],
  ["code 3 without a revert", { code: 3, message: "quux 17" }],
  ["CometBFT whose application went away", { code: -32603, message: "Internal error", data: "EOF" }],
  [
    "CometBFT without its results yet",
    { code: -32603, message: "Internal error", data: "could not find results for height #7" },
  ],
])("%s may pass", (_, answer) => {
  expect(errorOf(answer).isTransient).toBe(true);
});

test.each<[string, RpcErrorAnswer]>([
  ["a call that reverted", { code: 3, message: "execution reverted", data: "0x08c379a0" }],
  ["the same on Hardhat", { code: -32603, message: "VM Exception while processing transaction" }],
  ["the same on minievm", { code: -32000, message: "Reverted" }],
  ["the data of a revert, in any words", { code: -32015, message: "quux 17", data: "0x08c379a0" }],
  ["pruned state", { code: -32000, message: "missing trie node 0a1b (path ) state is not available" }],
  ["a method that does not exist", { code: -32601, message: "the method eth_x does not exist" }],
  ["CometBFT without the transaction", { code: -32603, message: "Internal error", data: "tx (AB) not found" }],
])("%s stays", (_, answer) => {
  expect(errorOf(answer).isTransient).toBe(false);
});

test.each(["header not found", "unknown block", "try again", "rate limit"])(
  "a contract that fails a call with %j is not taken for a node that is behind or busy",
  (words) => {
    const error = errorOf({ code: 3, message: `execution reverted: ${words}` });
    expect([error.isTransient, isBehind(error)]).toEqual([false, false]);
    const log = `${words}: query wasm contract failed`;
    const query = new QueryError("http://node", "/smart", { abciCode: 9, codespace: "wasm", log });
    expect([query.isTransient, isBehind(query)]).toEqual([false, false]);
  },
);

test("CometBFT's reason is part of the text, the data of a revert is not", () => {
  const [message, data] = ["Internal error", "tx (AB) not found"];
  const found = errorOf({ code: -32603, message, data });
  expect(found).toMatchObject({ details: `${message}: ${data}`, rpcCode: -32603 });
  for (const part of ["http://node", "eth_call", `${message}: ${data}`]) expect(found.shortMessage).toContain(part);
  expect(errorOf({ code: 3, message: "execution reverted", data: "0x08c379a0" })).toMatchObject({
    details: "execution reverted",
    data: "0x08c379a0",
  });
  expect(errorOf({})).toMatchObject({ details: expect.stringMatching(/\w/) as string, rpcCode: undefined });
});

test("distinguishes a failed call from a request that no server processed", () => {
  const errors = [
    errorOf({ code: 3, data: "0x08c379a0" }),
    errorOf({ code: -32602, message: "missing value" }),
    new Error("revert"),
  ];
  expect(errors.map(isCallFailure)).toEqual([true, false, false]);
  expect(errors.map(isRequestFault)).toEqual([false, true, false]);
});
