import { describe, expect, test } from "vitest";
import type { BroadcastRefusal } from "@vipscore/core";
import { openJsonRpc, restOverRpc } from "@vipscore/core/wire";
import { askedBy, failure, raw, result, scriptNode, type Reply } from "@vipscore/testkit/scriptedNode";
import { openTransport } from "./broadcast.ts";

const hash = "AB".repeat(32);
const transaction = { hash, sequence: 7n, gas: 100_000n, bytes: Uint8Array.of(1, 2, 3) };
const unknown = failure(`tx (${hash}) not found`);
const included = result({ hash, height: "9", index: 0, tx: "AQ==", tx_result: { code: 0, gas_used: "5" } });

const checked = (code: number, log = "", codespace = "sdk"): Reply => result({ code, data: "", log, codespace, hash });

async function send(reply: Reply, known: Reply = unknown) {
  const server = await scriptNode({ broadcast_tx_sync: [reply], tx: [known] });
  const outcome = await openTransport(restOverRpc(openJsonRpc(server.url)), () => ({ details: "" }))
    .send(transaction, undefined)
    .then(
      () => "taken",
      (error: unknown) => error,
    );
  return { outcome, asked: server.requests.map(askedBy) };
}

test("a transaction that the node checks and accepts is sent once", async () => {
  const { outcome, asked } = await send(checked(0, "", ""));
  expect(outcome).toBe("taken");
  expect(asked.map(({ name, params }) => [name, params.tx])).toEqual([["broadcast_tx_sync", "AQID"]]);
});

test("a transaction that the node already has counts as accepted", async () => {
  expect((await send(checked(19, "tx already in mempool"))).outcome).toBe("taken");
  expect((await send(failure("tx already exists in cache"))).outcome).toBe("taken");
  const used = checked(32, "account sequence mismatch, expected 8, got 7: incorrect account sequence");
  expect((await send(used, included)).outcome).toBe("taken");
});

test.each<[string, Reply, BroadcastRefusal]>([
  ["a used sequence", checked(32, "expected 8, got 7"), "sequence"],
  ["no funds", checked(5, "spendable balance 0umin is smaller than 5umin"), "funds"],
  ["a method that the node does not have", failure("", "Method not found", -32601), "other"],
  ["a full mempool", failure("mempool is full: number of txs 5000 (max: 5000)"), "other"],
  ["a body that a proxy does not accept", raw({ status: 413, body: "<html>" }), "too-large"],
  ["a body that the node does not accept", raw({ status: 400, body: "http: request body too large" }), "too-large"],
])("%s is a refusal", async (_, reply, kind) => {
  const { outcome } = await send(reply);
  const code = kind === "funds" ? "INSUFFICIENT_FUNDS" : "BROADCAST_REFUSED";
  expect(outcome).toMatchObject({ name: "BroadcastError", refusal: kind, code });
  expect((outcome as Error).message).toContain("sequence 7");
});

describe("an answer that says nothing about the transaction is not a refusal", () => {
  test.each<[string, Reply, string]>([
    ["status 503", raw({ status: 503, body: "busy" }), "NODE_UNREACHABLE"],
    ["a cut connection", raw({ instead: "cut" }), "NODE_UNREACHABLE"],
    ["another hash", result({ code: 0, hash: "CD".repeat(32), log: "", codespace: "" }), "NODE_BAD_RESPONSE"],
    ["no hash", result({ code: 0, log: "" }), "NODE_BAD_RESPONSE"],
    ["a web page", raw({ body: "<html>" }), "NODE_BAD_RESPONSE"],
    ["a node that timed out", failure("timed out waiting"), "NODE_ERROR"],
    ["an internal error without a reason", failure(""), "NODE_ERROR"],
    ["an internal error with an unknown reason", failure("EOF"), "NODE_ERROR"],
  ])("%s", async (_, reply, code) => {
    const { outcome, asked } = await send(reply);
    expect(outcome).toMatchObject({ code });
    expect(outcome).not.toHaveProperty("refusal");
    expect(asked.filter(({ name }) => name === "broadcast_tx_sync")).toHaveLength(1);
  });
});
