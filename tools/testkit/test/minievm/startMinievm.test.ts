import { readFileSync } from "node:fs";
import { getContractAddress, keccak256 } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testAccounts } from "@vipscore/localnet";
import { startMinievm, type MinievmDouble } from "../../src/minievm/startMinievm.ts";

interface Answer {
  readonly status: number;
  readonly contentType: string | null;
  readonly body: { readonly result?: unknown; readonly error?: { readonly code: number; readonly message: string } };
}
interface Exchange {
  readonly request: { readonly method: string; readonly params: readonly unknown[] };
  readonly response: Answer;
}

const recording = JSON.parse(
  readFileSync(new URL("../../src/minievm/recordings/minievm.json", import.meta.url), "utf8"),
) as Record<string, Exchange>;
const unused = new Set(Object.keys(recording));

function recorded(name: string): Exchange {
  const exchange = recording[name];
  if (exchange === undefined) throw new Error(`no exchange "${name}" in the recording`);
  unused.delete(name);
  return exchange;
}

const operator = privateKeyToAccount(testAccounts.operator.privateKey);
// Emits one log without calldata; reverts with 32 bytes of data otherwise.
const contractCode = "0x60108060095f395ff336600b57600160205fa1005b60205ffd";
const contract = getContractAddress({ from: operator.address, nonce: 0n });
let double: MinievmDouble;

beforeAll(async () => {
  double = await startMinievm({ blockTimeMs: 3_600_000, stateLagMs: 0 });
  await send(0, { to: null, data: contractCode, gas: 200_000n });
  await mine();
});
afterAll(() => double.stop());

async function post(method: string, params: readonly unknown[] = []): Promise<Answer> {
  const response = await fetch(double.rpcUrl, {
    method: "POST",
    body: JSON.stringify({ jsonrpc: "2.0", id: 5, method, params }),
  });
  const { jsonrpc, id, ...body } = (await response.json()) as Answer["body"] & { jsonrpc: unknown; id: unknown };
  expect({ jsonrpc, id }).toEqual({ jsonrpc: "2.0", id: 5 });
  return { status: response.status, contentType: response.headers.get("content-type"), body };
}

async function result(method: string, params: readonly unknown[] = []): Promise<unknown> {
  return (await post(method, params)).body.result;
}

interface Overrides {
  readonly to?: `0x${string}` | null;
  readonly data?: `0x${string}`;
  readonly gas?: bigint;
}
function sign(
  nonce: number,
  { to = operator.address, data = "0x", gas = 100_000n }: Overrides = {},
): Promise<`0x${string}`> {
  const fees = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };
  return operator.signTransaction({ type: "eip1559", chainId: Number(double.chainId), nonce, to, data, gas, ...fees });
}
async function send(nonce: number, overrides?: Overrides): Promise<unknown> {
  return result("eth_sendRawTransaction", [await sign(nonce, overrides)]);
}
async function nextNonce(): Promise<number> {
  return Number(await result("eth_getTransactionCount", [operator.address, "pending"]));
}

/** Makes a block now. The double's interval is an hour here, so that pending transactions stay pending until checked. */
async function mine(): Promise<void> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "evm_mine", params: [] });
  const response = await fetch(double.upstream.rpcUrl, { method: "POST", body });
  expect(await response.json()).not.toHaveProperty("error");
}

/** Field names and types, recursively; for a list, those of its first entry. */
function shapeOf(value: unknown): unknown {
  if (value === null || typeof value !== "object") return value === null ? "null" : typeof value;
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, shapeOf((value as Record<string, unknown>)[key])]),
  );
}

/** Compares everything in the answer except the values in its result. */
function expectSameShape(answer: Answer, name: string): void {
  const { response } = recorded(name);
  expect({ ...answer, body: shapeOf(answer.body) }).toEqual({ ...response, body: shapeOf(response.body) });
}

test.each([
  "method missing: fillTransaction",
  "method missing: createAccessList",
  "method missing: getProof",
  "hash too short",
  "client version",
  "gas price",
  "priority fee",
])("the same request returns exactly the recorded answer: %s", async (name) => {
  const { request, response } = recorded(name);
  expect(await post(request.method, request.params)).toEqual(response);
});

test("a method of the underlying node is not minievm's", async () => {
  expect((await post("evm_mine")).body.error).toEqual({
    code: -32601,
    message: "the method evm_mine does not exist/is not available",
  });
});

test("fees were always zero", async () => {
  const { request } = recorded("fee history");
  await mine();
  const answer = await post(request.method, request.params);
  expectSameShape(answer, "fee history");
  const zeros = ["0x0", "0x0", "0x0"];
  expect(answer.body.result).toMatchObject({
    baseFeePerGas: zeros,
    baseFeePerBlobGas: zeros,
    reward: [["0x0"], ["0x0"]],
  });
});

test("a block has minievm's fields, with hashes and with transactions", async () => {
  const hash = await send(await nextNonce(), { to: contract });
  await mine();
  const full = await post("eth_getBlockByNumber", ["latest", true]);
  expectSameShape(full, "block with transactions");
  expect(full.body.result).toMatchObject({
    baseFeePerGas: "0x0",
    gasLimit: "0xffffffffffffffff",
    transactions: [{ hash }],
  });
  await mine();
  expectSameShape(await post("eth_getBlockByNumber", ["latest", false]), "block with hashes");
});

test("calls and estimates answer, and revert without data and with the recorded text", async () => {
  const fine = { from: operator.address, to: contract };
  const bad = { ...fine, data: "0x01" };
  expectSameShape(await post("eth_call", [fine, "latest"]), "call");
  expectSameShape(
    await post("eth_estimateGas", [{ ...fine, nonce: "0xb", maxFeePerGas: "0x0", maxPriorityFeePerGas: "0x0" }]),
    "estimate",
  );
  expect(await post("eth_call", [bad, "latest"])).toEqual(recorded("call that reverts").response);
  expect(await post("eth_estimateGas", [bad])).toEqual(recorded("estimate that reverts").response);
});

test("an estimate or a call above 10,000,000 gas is refused, with our own text", async () => {
  // Writes at 2.36 MB of memory, which costs 10.8 M gas: PUSH0 PUSH4 0x00240000 MSTORE.
  const large = { from: operator.address, data: "0x5f630024000052" };
  expect((await post("eth_estimateGas", [large])).body.error).toEqual({
    code: -32000,
    message: "failed to execute message; message index: 0: out of gas",
  });
  const outOfGas = { code: -32000, message: "out of gas" };
  expect((await post("eth_call", [large, "latest"])).body.error).toEqual(outOfGas);
  expect((await post("eth_call", [{ ...large, gas: "0xffffff" }, "latest"])).body.error).toEqual(outOfGas);
  // A smaller limit from the caller applies too.
  const small = { from: operator.address, data: "0x5f61ffff52" };
  expect((await post("eth_call", [small, "latest"])).body).toEqual({ result: "0x" });
  expect((await post("eth_call", [{ ...small, gas: "0xd000" }, "latest"])).body.error).toEqual(outOfGas);
});

test("a transaction is accepted, pending, and has a receipt once it is in a block", async () => {
  const nonce = await nextNonce();
  const raw = await sign(nonce, { to: null, data: "0x00" });
  const sent = await post("eth_sendRawTransaction", [raw]);
  const hash = keccak256(raw);
  const [receipt, transaction] = await Promise.all([
    post("eth_getTransactionReceipt", [hash]),
    post("eth_getTransactionByHash", [hash]),
  ]);
  expectSameShape(sent, "send deploy");
  expect(sent.body.result).toBe(hash);
  expect(receipt).toEqual(recorded("receipt before its block").response);
  expectSameShape(transaction, "pending transaction");
  expect(transaction.body.result).toMatchObject({ hash, gasPrice: "0x0", nonce: `0x${nonce.toString(16)}` });
  await mine();
  expect(await result("eth_getTransactionReceipt", [hash])).toMatchObject({ status: "0x1" });
});

test("receipts of a creation with a log, a call with a log, and a revert; logs", async () => {
  const nonce = await nextNonce();
  // Creates an empty contract and emits one log on the way.
  const created = await send(nonce, { to: null, data: "0x600160205fa15f5ff3" });
  const logged = await send(nonce + 1, { to: contract });
  const reverted = await post("eth_sendRawTransaction", [await sign(nonce + 2, { to: contract, data: "0x01" })]);
  expectSameShape(reverted, "send that will revert");
  await mine();

  const receipts = [];
  for (const [name, hash] of [
    ["receipt of deploy", created],
    ["receipt with logs", logged],
    ["receipt of reverted", reverted.body.result],
  ] as const) {
    const receipt = await post("eth_getTransactionReceipt", [hash]);
    expectSameShape(receipt, name);
    receipts.push(receipt.body.result);
  }
  expect(receipts).toMatchObject([
    { status: "0x1", to: null, effectiveGasPrice: "0x0" },
    { status: "0x1", contractAddress: null },
    { status: "0x0", logs: [] },
  ]);
  expectSameShape(await post("eth_getLogs", [{ address: contract, topics: [], fromBlock: "0x0" }]), "logs");
});

test("a used nonce is refused with the recorded text, and a gap is queued until it is filled", async () => {
  for (let nonce = await nextNonce(); nonce < 12; nonce += 1) await send(nonce);
  // Nonce 12 is the next and 0 a used nonce, also in the recording.
  expect(await post("eth_sendRawTransaction", [await sign(0)])).toEqual(recorded("send with used nonce").response);

  const ahead = await sign(13);
  const sent = await post("eth_sendRawTransaction", [ahead]);
  expectSameShape(sent, "send with nonce gap");
  await mine();
  await mine();
  expect(await result("eth_getTransactionReceipt", [keccak256(ahead)])).toBeNull();
  expectSameShape(await post("eth_getTransactionByHash", [keccak256(ahead)]), "transaction behind nonce gap");
  expect(await result("eth_sendRawTransaction", [ahead])).toBe(keccak256(ahead));
  expect(await nextNonce()).toBe(12);

  await send(12);
  await mine();
  expect(await result("eth_getTransactionReceipt", [keccak256(ahead)])).toMatchObject({ status: "0x1" });
  expect((await post("eth_sendRawTransaction", [ahead])).body.error?.message).toContain("expected 14, got 13");
});

test("concurrent transactions in any order are all included", async () => {
  const nonce = await nextNonce();
  const raws = await Promise.all([3, 1, 0, 2].map((step) => sign(nonce + step)));
  const hashes = await Promise.all(raws.map((raw) => result("eth_sendRawTransaction", [raw])));
  await mine();
  for (const hash of hashes) {
    expect(await result("eth_getTransactionReceipt", [hash])).toMatchObject({ status: "0x1" });
  }
});

test("blocks are made on the interval, and stopping frees both ports", async () => {
  const other = await startMinievm({ blockTimeMs: 20 });
  const height = (): Promise<unknown> =>
    fetch(other.rpcUrl, { method: "POST", body: '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}' })
      .then((response) => response.json())
      .then((body) => Number((body as { readonly result: string }).result));
  await expect.poll(height).toBeGreaterThan(3);
  await other.stop();
  await expect(fetch(other.rpcUrl)).rejects.toThrow(TypeError);
  await expect(fetch(other.upstream.rpcUrl)).rejects.toThrow(TypeError);
});

test("every exchange of the recording was compared", () => {
  expect([...unused]).toEqual([]);
});
