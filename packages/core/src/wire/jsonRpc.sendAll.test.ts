import { expect, test } from "vitest";
import { script, type ScriptedAnswer } from "@vipscore/testkit/scriptedServer";
import { openJsonRpc } from "./jsonRpc.ts";

/** Sends three calls in one request, and returns the text of each answer, or what it rejects with. */
async function sendThree(answer: ScriptedAnswer) {
  const { url, requests } = await script({ "/": [answer] });
  const answerTo = openJsonRpc(url).sendAll?.("eth_sendRawTransaction", [["0x0a"], ["0x0b"], ["0x0c"]], undefined);
  const outcomes = await Promise.allSettled([0, 1, 2].map(async (at) => (await answerTo?.(at))?.text()));
  return { requests, outcomes: outcomes.map((one) => (one.status === "fulfilled" ? one.value : one.reason)) };
}

const named = (name: string, code: string) => expect.objectContaining({ name, code }) as unknown;

test("calls are sent in one request, and answers belong to their ids in any order", async () => {
  const answers = [2, 0, 1].map((id) => ({ jsonrpc: "2.0", id, result: `0x${id}` }));
  const { requests, outcomes } = await sendThree({ body: answers });
  expect(outcomes).toEqual(["0x0", "0x1", "0x2"]);
  expect(requests.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
    ["0x0a", "0x0b", "0x0c"].map((tx, id) => ({ jsonrpc: "2.0", id, method: "eth_sendRawTransaction", params: [tx] })),
  ]);
});

test("a refusal is of its call alone, and a call without an answer is in doubt", async () => {
  const refused = { jsonrpc: "2.0", id: 1, error: { code: -32000, message: "nonce too low" } };
  const { outcomes } = await sendThree({ body: [refused, { jsonrpc: "2.0", id: 0, result: "0x0" }, null, { id: 9 }] });
  expect(outcomes).toEqual(["0x0", named("RpcError", "NODE_ERROR"), named("NodeError", "NODE_BAD_RESPONSE")]);
});

test.each([
  [
    "one error",
    { body: { jsonrpc: "2.0", id: null, error: { code: -32600, message: "batch requests are not supported" } } },
  ],
  ["one result", { body: { jsonrpc: "2.0", id: 0, result: "0x0" } }],
  ["a status", { status: 413, body: "request entity too large" }],
  ["a rate limit", { status: 429, body: [] }],
] as const)("%s for all leaves each in doubt, and is the refusal of none", async (_, answer) => {
  const { outcomes } = await sendThree(answer);
  expect(outcomes).toEqual(outcomes.map(() => named("NodeError", "NODE_BAD_RESPONSE")));
});
