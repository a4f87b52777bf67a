import { describe, expect, test } from "vitest";
import { script, type ScriptedAnswer } from "@vipscore/testkit/scriptedServer";
import { VipError } from "../errors/vipError.ts";
import type { Answer } from "./answer.ts";
import { isCallFailure, openJsonRpc, RpcError } from "./jsonRpc.ts";

const whole = (answer: Answer): unknown => answer.value;
const result = (value: unknown): ScriptedAnswer => ({ body: { jsonrpc: "2.0", id: 1, result: value } });
const failure = (error: object, status = 200): ScriptedAnswer => ({ status, body: { jsonrpc: "2.0", id: 1, error } });
const serve = (...answers: readonly ScriptedAnswer[]) => script({ "/": answers });

test("a result is returned unchanged, including null", async () => {
  const { url, requests } = await serve(result("0x1"), result(null));
  const rpc = openJsonRpc(url);
  expect(await rpc.read("eth_chainId", [], whole)).toBe("0x1");
  expect(await rpc.read("eth_getTransactionReceipt", ["0x00"], whole)).toBeNull();
  expect(requests.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([
    { jsonrpc: "2.0", method: "eth_chainId", params: [] },
    { jsonrpc: "2.0", method: "eth_getTransactionReceipt", params: ["0x00"] },
  ]);
});

test("credentials of the URL go into a header and never into a message", async () => {
  const path = "/v1/secret-token";
  const { url, requests } = await script({ [path]: [{ status: 401, body: "project: secret-token" }] });
  const rpc = openJsonRpc(`${url.replace("//", "//user:p%40ss@")}${path}?key=secret`);
  const error = await rpc.read("eth_chainId", [], whole).catch((thrown: unknown) => thrown);
  expect(requests[0]?.headers["authorization"]).toBe(`Basic ${Buffer.from("user:p@ss").toString("base64")}`);
  expect(error).toMatchObject({ code: "NODE_ERROR", details: "project: …" });
  expect(`${rpc.endpoint} ${String(error)} ${JSON.stringify(error)}`).not.toMatch(/secret|p@ss|p%40ss|user/);
});

test("no part of the URL that may be secret shows in the message or the data of a node's error", async () => {
  const secrets = ["verysecretkey", "verysecretpass", "verysecrettoken"];
  const data = { keys: secrets, nested: [{ text: secrets.join(" ") }] };
  const { url } = await script({ "/v1/verysecretkey": [failure({ code: -32601, message: secrets.join(" "), data })] });
  const rpc = openJsonRpc(`${url.replace("//", "//user:verysecretpass@")}/v1/verysecretkey?token=verysecrettoken`);
  const error: unknown = await rpc.read("eth_chainId", [], whole).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: "NODE_ERROR",
    details: "… … …",
    data: { keys: ["…", "…", "…"], nested: [{ text: "… … …" }] },
  });
  expect(String(error) + JSON.stringify(error)).not.toContain("verysecret");
});

test.each([
  ["text that is not a URL", "not a url"],
  ["a key in its place", "0x0123456789012345678901234567890123456789012345678901234567890123"],
  ["another scheme", "ftp://example.org"],
])("%s is refused without repeating it", (_, text) => {
  expect(() => openJsonRpc(text)).toThrowError(expect.objectContaining({ code: "CONFIG_INVALID" }));
  expect(() => openJsonRpc(text)).not.toThrowError(text);
});

test("a node's error keeps its code and its data", async () => {
  const nested = { message: "reverted", data: "0x08c379a0" };
  const { url } = await serve(
    failure({ code: 3, message: "execution reverted", data: "0x08c379a0" }),
    failure({ code: -32603, message: "Error: reverted", data: nested }),
    failure({ code: -32000, message: "Reverted" }),
  );
  const rpc = openJsonRpc(url);
  for (const data of ["0x08c379a0", nested, undefined]) {
    const error: unknown = await rpc.read("eth_call", [], whole).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RpcError);
    expect(error).toMatchObject({ code: "NODE_ERROR", data });
    expect(isCallFailure(error)).toBe(true);
  }
});

test("an error object with an HTTP error status is the node's error", async () => {
  const message = "nonce too low";
  const { url } = await serve(failure({ code: -32000, message }, 400));
  const request = openJsonRpc(url).send("eth_sendRawTransaction", ["0x00"], whole);
  await expect(request).rejects.toMatchObject({ code: "NODE_ERROR", details: message });
});

describe("an answer outside the protocol, from an endpoint that never answered in it", () => {
  const foreign: readonly [string, ScriptedAnswer][] = [
    ["a web page", { body: "<!doctype html><title>hello</title>" }],
    ["another JSON", { body: `{"hello":1}` }],
    ["a list", { body: "[]" }],
    ["nothing", { body: "" }],
    ["the answer to another request", { body: `{"jsonrpc":"2.0","id":-1,"result":"0x1"}` }],
  ];

  test.each(foreign)("%s may pass", async (_, answer) => {
    const { url, requests } = await serve(answer, result("0x1"));
    expect(await openJsonRpc(url).read("eth_chainId", [], whole)).toBe("0x1");
    expect(requests).toHaveLength(2);
  });

  // All at once, because each waits for three seconds. With less patience an attempt is too short for a slow machine.
  test("all of them are refused after a while", async () => {
    const ended = foreign.map(async ([name, answer]) => {
      const { url, requests } = await serve(answer);
      const error = openJsonRpc(url).read("eth_chainId", [], whole);
      return {
        name,
        code: await error.catch((thrown: unknown) => (VipError.isVipError(thrown) ? thrown.code : thrown)),
        isRepeated: requests.length > 1,
      };
    });
    const expected = foreign.map(([name]) => ({ name, code: "NODE_BAD_RESPONSE", isRepeated: true }));
    expect(await Promise.all(ended)).toEqual(expected);
  });
});

test.each<[string, ScriptedAnswer, string]>([
  ["status 404", { status: 404, body: "<html>" }, "NODE_BAD_RESPONSE"],
  ["status 403", { status: 403, body: "" }, "NODE_ERROR"],
])("%s is final: %s", async (_, answer, code) => {
  const { url, requests } = await serve(answer);
  await expect(openJsonRpc(url).read("eth_chainId", [], whole)).rejects.toMatchObject({ code });
  expect(requests).toHaveLength(1);
});

test.each<[string, ScriptedAnswer]>([
  ["429", { status: 429, body: "" }],
  ["503", { status: 503, body: "" }],
  ["an internal error", failure({ code: -32603, message: "Internal error" })],
  ["a rate limit in JSON", failure({ code: -32005, message: "limit exceeded" })],
  ["a node that lags behind", failure({ code: -32000, message: "header not found" })],
  ["a connection that is cut", { instead: "cut" }],
])("a read is repeated after %s", async (_, passing) => {
  const { url, requests } = await serve(passing, result("0x1"));
  expect(await openJsonRpc(url).read("eth_chainId", [], whole)).toBe("0x1");
  expect(requests).toHaveLength(2);
});

test("a read is repeated after an answer that cannot be read, a transaction is not", async () => {
  const { url, requests } = await serve(result("much"), result("0x1"), result("much"));
  const rpc = openJsonRpc(url);
  const quantity = (answer: Answer): bigint => answer.quantity();
  expect(await rpc.read("eth_chainId", [], quantity)).toBe(1n);
  await expect(rpc.send("eth_sendRawTransaction", ["0x00"], quantity)).rejects.toMatchObject({
    code: "NODE_BAD_RESPONSE",
    details: "much",
  });
  expect(requests).toHaveLength(3);
});

test("a read gives up once its patience is over", async () => {
  const { url } = await serve({ status: 503, body: "" });
  const request = openJsonRpc(url, { patienceMs: 3_000 }).read("eth_chainId", [], whole);
  await expect(request).rejects.toMatchObject({ code: "NODE_UNREACHABLE" });
});

test("a failed call is not repeated, no matter its code", async () => {
  const { url, requests } = await serve(failure({ code: -32603, message: "VM Exception: reverted" }));
  const request = openJsonRpc(url).read("eth_call", [], whole);
  await expect(request).rejects.toMatchObject({ code: "NODE_ERROR" });
  expect(requests).toHaveLength(1);
});

test("an answer outside the protocol may pass if the endpoint answered before", async () => {
  const ofAnother = { body: { jsonrpc: "2.0", id: 8, result: "0x3" } };
  const { url } = await serve(result("0x1"), { body: "<html>" }, { body: "" }, ofAnother, result("0x2"));
  const rpc = openJsonRpc(url);
  expect(await rpc.read("eth_chainId", [], whole)).toBe("0x1");
  expect(await rpc.read("eth_chainId", [], whole)).toBe("0x2");
});

test.each<[string, ScriptedAnswer]>([
  ["a cut connection", { instead: "cut" }],
  ["503", { status: 503, body: "" }],
])(
  "a request that must not be repeated is sent once, then %s is an endpoint that does not answer",
  async (_, answer) => {
    const { url, requests } = await serve(answer, result("0x1"));
    const request = openJsonRpc(url).send("eth_sendRawTransaction", ["0x00"], whole);
    await expect(request).rejects.toMatchObject({ code: "NODE_UNREACHABLE" });
    expect(requests).toHaveLength(1);
  },
);

test("nothing listens at the port: the message has the system's reason", async () => {
  const { url, close } = await serve(result("0x1"));
  await close();
  const request = openJsonRpc(url).send("eth_chainId", [], whole);
  await expect(request).rejects.toMatchObject({ code: "NODE_UNREACHABLE", details: "ECONNREFUSED" });
});

test("a node that is silent for too long does not answer", async () => {
  const { url } = await serve({ instead: "silence" });
  const request = openJsonRpc(url, { patienceMs: 50 }).send("eth_chainId", [], whole);
  await expect(request).rejects.toMatchObject({ code: "NODE_UNREACHABLE" });
});

test.each<[string, ScriptedAnswer]>([
  ["a silent request", { instead: "silence" }],
  ["the pause before a repetition", { status: 503, body: "" }],
])("an abort ends %s with the caller's reason", async (_, answer) => {
  const { url, requests } = await serve(answer);
  const caller = new AbortController();
  const request = openJsonRpc(url).read("eth_chainId", [], whole, caller.signal);
  await expect.poll(() => requests.length).toBe(1);
  const reason = new Error("enough");
  caller.abort(reason);
  await expect(request).rejects.toBe(reason);
});

const text = (answer: Answer): string => answer.text();
const refused = failure({ code: -32603, message: "Internal error" });

test("an unreadable result is requested again, and so is one refused without a reason", async () => {
  const { url, requests } = await serve(result(7), refused, result("seven"));
  expect(await openJsonRpc(url).read("x", [], text)).toBe("seven");
  expect(requests).toHaveLength(3);
});

test("the first final failure ends a read", async () => {
  const { url, requests } = await serve(result(7), refused, result("seven"));
  const rpc = openJsonRpc(url, { isFinal: (error) => error instanceof RpcError });
  await expect(rpc.read("x", [], text)).rejects.toBeInstanceOf(RpcError);
  expect(requests).toHaveLength(2);
});

test("the limits on an attempt's time and an answer's size apply", async () => {
  const { url, requests } = await serve({ instead: "silence" }, result("seven"));
  expect(await openJsonRpc(url, { timeoutMs: 100 }).read("x", [], text)).toBe("seven");
  await expect(openJsonRpc(url, { maxBytes: 20 }).read("x", [], text)).rejects.toMatchObject({
    code: "NODE_BAD_RESPONSE",
    shortMessage: expect.stringContaining("more than 20 bytes") as unknown,
  });
  expect(requests).toHaveLength(3);
});
