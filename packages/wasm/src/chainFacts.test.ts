import { afterEach, describe, expect, test, vi } from "vitest";
import { openJsonRpc } from "@vipscore/core/wire";
import { stopScripts } from "@vipscore/testkit/scriptedServer";
import { failure, raw, result, scriptNode, type Reply } from "../test/scriptedNode.ts";
import { openHeights } from "./chainFacts.ts";

afterEach(async () => {
  vi.restoreAllMocks();
  await stopScripts();
});

const height = (text: string): Reply => result({ response: { data: "minitia", last_block_height: text } });

async function read(replies: readonly Reply[], signal?: AbortSignal, patienceMs?: number) {
  const server = await scriptNode({ abci_info: replies });
  const outcome = await openHeights(openJsonRpc(server.url, { patienceMs }))
    .getHeight({ signal })
    .catch((error: unknown) => error);
  return { outcome, requests: server.requests };
}

// recorded on miniwasm; its answer does not include a version
test("the newest height", async () => {
  expect((await read([height("5807")])).outcome).toBe(5807n);
});

test("a read is retried while the endpoint is overloaded", async () => {
  const { outcome, requests } = await read([raw({ status: 503, body: "busy" }), raw({ instead: "cut" }), height("7")]);
  expect(outcome).toBe(7n);
  expect(requests).toHaveLength(3);
});

test("a read survives answers without the requested field", async () => {
  const { outcome, requests } = await read([result({ response: {} }), result({}), height("7")]);
  expect(outcome).toBe(7n);
  expect(requests).toHaveLength(3);
});

test("a read gives up once its patience is over", async () => {
  const { outcome } = await read([raw({ status: 429, body: "slow down" })], undefined, 300);
  expect(outcome).toMatchObject({ code: "NODE_UNREACHABLE" });
});

describe("a refusal is final", () => {
  test.each<[string, Reply, string]>([
    ["another status", raw({ status: 404, body: "no such page" }), "NODE_BAD_RESPONSE"],
    ["a refusal", failure("", "Method not found", -32601), "NODE_ERROR"],
    ["credentials that are wrong", raw({ status: 401, body: "" }), "NODE_ERROR"],
  ])("%s", async (_, reply, code) => {
    const { outcome, requests } = await read([reply]);
    expect(outcome).toMatchObject({ code });
    expect(requests).toHaveLength(1);
  });
});

test("a height that stays missing, malformed or below 1 is reported", async () => {
  const replies = [result({ response: {} }), height("-4"), height("0")];
  for (const { outcome, requests } of await Promise.all(replies.map((reply) => read([reply])))) {
    expect(outcome).toMatchObject({ code: "NODE_BAD_RESPONSE" });
    expect(String(outcome)).toContain(" response.last_block_height ");
    expect(requests.length).toBeGreaterThan(1);
  }
});

describe("an abort ends a read with the caller's reason", () => {
  const reason = new Error("enough");

  test("before the read", async () => {
    const { outcome, requests } = await read([height("7")], AbortSignal.abort(reason));
    expect(outcome).toBe(reason);
    expect(requests).toHaveLength(0);
  });

  test.each<[string, Reply]>([
    ["while the endpoint is silent", raw({ instead: "silence" })],
    ["between attempts", raw({ status: 503, body: "busy" })],
  ])("%s", async (_, reply) => {
    // No time limit of the read ends it.
    vi.spyOn(AbortSignal, "timeout").mockReturnValue(new AbortController().signal);
    const server = await scriptNode({ abci_info: [reply] });
    const caller = new AbortController();
    const reading = openHeights(openJsonRpc(server.url)).getHeight({ signal: caller.signal });
    await expect.poll(() => server.requests.length).toBe(1);
    caller.abort(reason);
    await expect(reading).rejects.toBe(reason);
  });
});

test("an error contains no part of a URL that may be secret", async () => {
  const { url } = await scriptNode({ abci_info: [failure("unknown key verysecretkey")] });
  const secret = `${url.replace("://", "://user:verysecretpass@")}/v1/verysecretkey?token=verysecrettoken`;
  const error = await openHeights(openJsonRpc(secret))
    .getHeight()
    .catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: "NODE_ERROR" });
  expect(String(error) + JSON.stringify(error)).not.toContain("verysecret");
});

test("an endpoint is an http or https URL", () => {
  expect(() => openJsonRpc("tcp://127.0.0.1:26657")).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
});
