import { expect, test } from "vitest";
import { NodeError } from "@vipscore/core";
import { HttpStatusError, RpcError } from "@vipscore/core/wire";
import { refusal, scriptedRpc } from "../test/scriptedRpc.ts";
import { broadcast } from "./broadcast.ts";

const hash = `0x${"ab".repeat(32)}`;
const transaction = { hash, sequence: 3n, gas: 21_000n, bytes: new Uint8Array([2]) };
const absent = { eth_getTransactionReceipt: null, eth_getTransactionByHash: null };
const pending = { eth_getTransactionReceipt: null, eth_getTransactionByHash: { hash } };
const silence = new NodeError("silence", { code: "NODE_UNREACHABLE" });

test("the node's hash must match ours", async () => {
  await broadcast(
    scriptedRpc({ eth_sendRawTransaction: hash.toUpperCase().replace("0X", "0x") }),
    transaction,
    undefined,
  );
  const other = scriptedRpc({ eth_sendRawTransaction: `0x${"cd".repeat(32)}` });
  await expect(broadcast(other, transaction, undefined)).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
});

test.each(["already known", "nonce too low", "execution reverted"])(
  "a refusal does not count if the node has the transaction: %s",
  async (text) => {
    const rpc = scriptedRpc({ eth_sendRawTransaction: refusal(text), ...pending });
    await expect(broadcast(rpc, transaction, undefined)).resolves.toBeUndefined();
  },
);

test("a refusal of a transaction that the node does not have is classified by its text", async () => {
  const details = "nonce too low";
  const rpc = scriptedRpc({ eth_sendRawTransaction: refusal(details), ...absent });
  await expect(broadcast(rpc, transaction, undefined)).rejects.toMatchObject({
    name: "BroadcastError",
    code: "BROADCAST_REFUSED",
    refusal: "sequence",
    details,
  });
});

test("the error message names the transaction and the node's reason", async () => {
  const reason = "intrinsic gas too low";
  const rpc = scriptedRpc({ eth_sendRawTransaction: refusal(reason), ...absent });
  await expect(broadcast(rpc, transaction, undefined)).rejects.toThrow(
    new RegExp(`${hash}\\b.*\\bsequence 3\\b.*\\b21000\\b.*${reason}`),
  );
});

test("a transaction that the node claims to have but does not show is undecided", async () => {
  const rpc = scriptedRpc({ eth_sendRawTransaction: refusal("already known"), ...absent });
  await expect(broadcast(rpc, transaction, undefined)).rejects.toMatchObject({ name: "NodeError" });
});

test("no answer is undecided, and the transaction is not sent again", async () => {
  const rpc = scriptedRpc({ eth_sendRawTransaction: silence, ...absent });
  await expect(broadcast(rpc, transaction, undefined)).rejects.toBe(silence);
  expect(rpc.asked).toEqual(["eth_sendRawTransaction"]);
});

test("a refusal is undecided if the hash cannot be looked up", async () => {
  const rpc = scriptedRpc({ eth_sendRawTransaction: refusal("nonce too low"), eth_getTransactionReceipt: silence });
  await expect(broadcast(rpc, transaction, undefined)).rejects.toBe(silence);
});

test.each([
  ["a rate limit", "limit exceeded", -32005],
  ["an internal error", "Internal error", -32603],
  ["an error of a proxy", "upstream connect error", -32000],
  ["an error without a code", "something went wrong", undefined],
])("%s leaves the transaction in doubt", async (_, text, code) => {
  const error = new RpcError("http://scripted", "a method", { code, message: text });
  const rpc = scriptedRpc({ eth_sendRawTransaction: error, ...absent });
  await expect(broadcast(rpc, transaction, undefined)).rejects.toBe(error);
  const taken = scriptedRpc({ eth_sendRawTransaction: error, ...pending });
  await expect(broadcast(taken, transaction, undefined)).resolves.toBeUndefined();
});

test("a request that no server processed is refused, whatever the text", async () => {
  const rpc = scriptedRpc({ eth_sendRawTransaction: refusal("sending is switched off here", -32601), ...absent });
  await expect(broadcast(rpc, transaction, undefined)).rejects.toMatchObject({ refusal: "other" });
});

test("clear texts count even with the code of an internal error", async () => {
  for (const [text, kind] of [
    ["nonce too low", "sequence"],
    ["max fee per gas less than block base fee", "fee"],
  ] as const) {
    const rpc = scriptedRpc({ eth_sendRawTransaction: refusal(text, -32603), ...absent });
    await expect(broadcast(rpc, transaction, undefined)).rejects.toMatchObject({ refusal: kind });
  }
});

test.each([
  ["status 403", new HttpStatusError("http://scripted", 403, "", { isKnown: true })],
  ["-32600", refusal("invalid request", -32600)],
])("a gateway's %s counts as too large for a large transaction alone", async (_, error) => {
  const rpc = scriptedRpc({ eth_sendRawTransaction: error, ...absent });
  const large = { ...transaction, bytes: new Uint8Array(100_000) };
  await expect(broadcast(rpc, large, undefined)).rejects.toMatchObject({ refusal: "too-large" });
  const refused: unknown = await broadcast(rpc, transaction, undefined).catch((thrown: unknown) => thrown);
  expect(refused).not.toMatchObject({ refusal: "too-large" });
});

test("a proxy's refusal of a large body counts as too large", async () => {
  const rpc = scriptedRpc({ eth_sendRawTransaction: new HttpStatusError("http://scripted", 413, ""), ...absent });
  await expect(broadcast(rpc, transaction, undefined)).rejects.toMatchObject({ refusal: "too-large" });
});
