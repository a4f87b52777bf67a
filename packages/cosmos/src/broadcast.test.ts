import { describe, expect, test } from "vitest";
import type { BroadcastRefusal } from "@vipscore/core";
import { openRest } from "@vipscore/core/wire";
import { refusal, script, type ScriptedAnswer } from "@vipscore/testkit/scriptedServer";
import { openTransport } from "./broadcast.ts";

const sendPath = "/cosmos/tx/v1beta1/txs";
const hash = "AB".repeat(32);
const lookUpPath = `${sendPath}/${hash}`;
const transaction = { hash, sequence: 7n, gas: 100_000n, bytes: Uint8Array.of(1, 2, 3) };
const unknown = refusal(`tx not found: ${hash}`, 5, 404);
const included = { body: { tx_response: { height: "9", gas_used: "5", code: 0, raw_log: "" } } };

const checked = (code: number, raw_log = "", codespace = "sdk"): ScriptedAnswer => ({
  body: { tx_response: { height: "0", txhash: hash, codespace, code, raw_log } },
});

async function send(answer: ScriptedAnswer, known: ScriptedAnswer = unknown) {
  const server = await script({ [sendPath]: [answer], [lookUpPath]: [known] });
  const outcome = await openTransport(openRest(server.url), () => ({ details: "" }))
    .send(transaction, undefined)
    .then(
      () => "taken",
      (error: unknown) => error,
    );
  return { outcome, requests: server.requests };
}

test("a transaction that the node checks and accepts is sent once", async () => {
  const { outcome, requests } = await send(checked(0, "", ""));
  expect(outcome).toBe("taken");
  expect(requests.map(({ path }) => path)).toEqual([sendPath]);
  expect(JSON.parse(requests[0]?.body ?? "")).toEqual({ tx_bytes: "AQID", mode: "BROADCAST_MODE_SYNC" });
});

test("a transaction that the node already has counts as accepted", async () => {
  expect((await send(checked(19, "tx already in mempool"))).outcome).toBe("taken");
  const used = checked(32, "account sequence mismatch, expected 8, got 7: incorrect account sequence");
  expect((await send(used, included)).outcome).toBe("taken");
});

test.each<[string, ScriptedAnswer, BroadcastRefusal]>([
  ["a used sequence", checked(32, "expected 8, got 7"), "sequence"],
  ["no funds", checked(5, "spendable balance 0umin is smaller than 5umin"), "funds"],
  ["a full mempool", checked(20), "other"],
  ["a body that the server does not accept", { status: 400, body: "http: request body too large" }, "too-large"],
  ["a body that a proxy does not accept", { status: 413, body: "<html>" }, "too-large"],
  ["a transaction that cannot be decoded", refusal("tx parse error", 3, 400), "other"],
  ["a request that the server does not accept", refusal("no such mode", 3, 400), "other"],
])("%s is a refusal", async (_, answer, kind) => {
  const { outcome } = await send(answer);
  const code = kind === "funds" ? "INSUFFICIENT_FUNDS" : "BROADCAST_REFUSED";
  expect(outcome).toMatchObject({ name: "BroadcastError", refusal: kind, code });
  const advice = kind === "funds" ? ["Fund the signer and try again."] : [];
  expect(outcome).toMatchObject({ message: expect.stringContaining("sequence 7") as string, metaMessages: advice });
});

describe("an answer that says nothing about the transaction is not a refusal", () => {
  test.each<[string, ScriptedAnswer, string]>([
    ["status 503", { status: 503, body: "busy" }, "NODE_UNREACHABLE"],
    ["a node behind the proxy that does not answer", refusal("connection refused", 14, 503), "NODE_ERROR"],
    ["a cut connection", { instead: "cut" }, "NODE_UNREACHABLE"],
    [
      "another hash",
      { body: { tx_response: { txhash: "CD", code: 0, raw_log: "", codespace: "" } } },
      "NODE_BAD_RESPONSE",
    ],
    ["no code", { body: { tx_response: {} } }, "NODE_BAD_RESPONSE"],
    ["a web page", { body: "<html>" }, "NODE_BAD_RESPONSE"],
    ["an internal error", refusal("internal error", 13, 500), "NODE_ERROR"],
    ["an error of the server with an unknown text", refusal("post failed", 2, 500), "NODE_ERROR"],
  ])("%s", async (_, answer, code) => {
    const { outcome, requests } = await send(answer);
    expect(outcome).toMatchObject({ code });
    expect(outcome).not.toHaveProperty("refusal");
    expect(requests.filter(({ path }) => path === sendPath)).toHaveLength(1);
  });
});
