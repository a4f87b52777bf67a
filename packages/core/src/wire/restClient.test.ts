import { describe, expect, test } from "vitest";
import { refusal, script, type ScriptedAnswer } from "@vipscore/testkit/scriptedServer";
import type { Answer } from "./answer.ts";
import { isMissingRoute, isNotFound, openRest, RestError, undefinedIf } from "./restClient.ts";

const whole = (answer: Answer): unknown => answer.value;

test("an answer is returned unchanged, with 64-bit numbers as text", async () => {
  const body = { height: "18446744073709551615", list: [1] };
  const { url, requests } = await script({ "/cosmos/x": [{ body }] });
  expect(await openRest(url).get("/cosmos/x", whole, { height: 7n, query: { "pagination.key": "a+/=" } })).toEqual(
    body,
  );
  expect(requests[0]?.headers["x-cosmos-block-height"]).toBe("7");
  expect(requests[0]?.query.get("pagination.key")).toBe("a+/=");
});

test("the URL's path and query are kept; its credentials go into a header and never into a message", async () => {
  const { url, requests } = await script({ "/rest/v1/x": [{ status: 401, body: "project: secret-token" }] });
  const rest = openRest(`${url.replace("//", "//user:p%40ss@")}/rest/v1/?key=secret-token`);
  const error = await rest.get("/x", whole, { query: { limit: "1" } }).catch((thrown: unknown) => thrown);
  expect(requests[0]?.query.toString()).toBe("key=secret-token&limit=1");
  expect(requests[0]?.headers["authorization"]).toBe(`Basic ${Buffer.from("user:p@ss").toString("base64")}`);
  expect(error).toMatchObject({ code: "NODE_ERROR", details: "project: …" });
  expect(`${rest.endpoint} ${String(error)} ${JSON.stringify(error)}`).not.toMatch(/secret|p@ss|p%40ss|user/);
});

test.each(["not a url", "ftp://example.org", "0x0123456789012345678901234567890123456789012345678901234567890123"])(
  "%j is refused without repeating it",
  (text) => {
    expect(() => openRest(text)).toThrowError(expect.objectContaining({ code: "CONFIG_INVALID" }));
    expect(() => openRest(text)).not.toThrowError(text);
  },
);

test("a node's error keeps its status, its code and its text", async () => {
  const missing = "tx not found: AB";
  const { url, requests } = await script({
    "/state": [refusal("collections: not found: key 'hexBytes:00' of type bytes")],
    "/tx": [refusal(missing, 5, 404)],
    "/module": [refusal("Not Implemented", 12, 501)],
    "/vm": [refusal("VM error: status FUNCTION_RESOLUTION_FAILURE of type Verification")],
  });
  const rest = openRest(url);
  const failing = (path: string) => rest.get(path, whole).catch((error: unknown) => error);
  const [state, tx, module, vm] = [
    await failing("/state"),
    await failing("/tx"),
    await failing("/module"),
    await failing("/vm"),
  ];
  for (const error of [state, tx, module, vm]) expect(error).toBeInstanceOf(RestError);
  expect([state, tx, module, vm].map(isNotFound)).toEqual([true, true, false, false]);
  expect([state, tx, module, vm].map(isMissingRoute)).toEqual([false, false, true, false]);
  expect(tx).toMatchObject({ code: "NODE_ERROR", status: 404, grpcCode: 5, details: missing });
  expect(requests).toHaveLength(4);
});

test.each<[string, ScriptedAnswer, string]>([
  ["status 404 of a web server", { status: 404, body: "<html>" }, "NODE_BAD_RESPONSE"],
  ["status 403", { status: 403, body: "" }, "NODE_ERROR"],
])("%s is not a node's answer, and final", async (_, answer, code) => {
  const { url, requests } = await script({ "/x": [answer] });
  await expect(openRest(url).get("/x", whole)).rejects.toMatchObject({ code });
  expect(requests).toHaveLength(1);
});

describe("an answer outside the protocol, from an endpoint that never answered in it", () => {
  const foreign: readonly [string, ScriptedAnswer][] = [
    ["a web page", { body: "<!doctype html><title>hello</title>" }],
    ["a list", { body: "[]" }],
    ["nothing", { body: "" }],
    ["half an answer", { body: '{"a":' }],
    ["half an answer that nothing was found", { status: 404, body: '{"code":5, "message":"tx not f' }],
  ];

  test.each(foreign)("%s may pass", async (_, answer) => {
    const { url, requests } = await script({ "/x": [answer, { body: { a: 1 } }] });
    expect(await openRest(url).get("/x", whole)).toEqual({ a: 1 });
    expect(requests).toHaveLength(2);
  });

  // With less patience an attempt is too short for a slow machine.
  test("all of them are refused after a while", async () => {
    const refusals = foreign.map(async ([name, answer]) => {
      const { url, requests } = await script({ "/x": [answer] });
      const error: unknown = await openRest(url)
        .get("/x", whole)
        .catch((thrown: unknown) => thrown);
      return { name, error, repeats: requests.length > 1 };
    });
    const error = expect.objectContaining({ code: "NODE_BAD_RESPONSE" }) as unknown;
    expect(await Promise.all(refusals)).toEqual(foreign.map(([name]) => ({ name, error, repeats: true })));
  });
});

test.each<[string, ScriptedAnswer]>([
  ["status 429", { status: 429, body: { code: 8, message: "slow down" } }],
  ["status 503", { status: 503, body: "busy" }],
  ["a node that is not available", refusal("connection refused", 14, 503)],
  ["a node that lags behind", refusal("codespace sdk code 26: invalid height: cannot query with height in the future")],
  ["a connection that is cut", { instead: "cut" }],
])("a read is repeated after %s, a transaction is not", async (_, passing) => {
  const { url, requests } = await script({ "/x": [passing, { body: { a: 1 } }], "/send": [passing, { body: {} }] });
  const rest = openRest(url);
  expect(await rest.get("/x", whole)).toEqual({ a: 1 });
  expect(requests).toHaveLength(2);
  await expect(rest.send("/send", {}, whole)).rejects.toMatchObject({
    name: expect.stringMatching(/Error$/) as string,
  });
  expect(requests).toHaveLength(3);
});

test("a read with a body is repeated too", async () => {
  const { url, requests } = await script({ "/view": [{ status: 502, body: "" }, { body: { data: "1" } }] });
  expect(await openRest(url).query("/view", { args: [] }, whole)).toEqual({ data: "1" });
  expect(requests.map(({ method, body }) => [method, body])).toEqual([
    ["POST", `{"args":[]}`],
    ["POST", `{"args":[]}`],
  ]);
});

test("a read gives up once its patience is over", async () => {
  const { url } = await script({ "/x": [{ status: 503, body: "" }] });
  await expect(openRest(url, { patienceMs: 300 }).get("/x", whole)).rejects.toMatchObject({ code: "NODE_UNREACHABLE" });
});

test("a node that is silent for too long does not answer", async () => {
  const { url } = await script({ "/x": [{ instead: "silence" }] });
  const rest = openRest(url, { patienceMs: 300 });
  await expect(rest.send("/x", {}, whole)).rejects.toMatchObject({ code: "NODE_UNREACHABLE" });
  await expect(rest.get("/x", whole)).rejects.toMatchObject({ code: "NODE_UNREACHABLE" });
});

test.each<[string, ScriptedAnswer]>([
  ["a web page with status 200", { body: "<html>maintenance</html>" }],
  ["nothing with status 200", { body: "" }],
  ["half an answer", { body: '{"a":' }],
  ["an error of the node without its fields", { status: 404, body: {} }],
  ["half an answer that nothing was found", { status: 404, body: '{"code":5, "message":"tx not f' }],
])("%s may pass if the endpoint answered before", async (_, foreign) => {
  const { url, requests } = await script({ "/x": [{ body: { a: 1 } }, foreign, foreign, { body: { a: 2 } }] });
  const rest = openRest(url);
  expect(await rest.get("/x", whole)).toEqual({ a: 1 });
  expect(await rest.get("/x", whole)).toEqual({ a: 2 });
  expect(requests).toHaveLength(4);
});

test("an answer without the requested field is requested again, and refused if it stays so", async () => {
  const good = { body: { info: { sequence: "7" } } };
  const { url, requests } = await script({
    "/once": [{ body: { info: {} } }, good],
    "/always": [{ body: { info: 1 } }],
  });
  const rest = openRest(url);
  const sequence = (answer: Answer): bigint => answer.field("info").field("sequence").u64();
  expect(await rest.get("/once", sequence)).toBe(7n);
  expect(requests).toHaveLength(2);
  await expect(rest.get("/always", sequence)).rejects.toMatchObject({
    code: "NODE_BAD_RESPONSE",
    shortMessage: expect.stringMatching(new RegExp(`^${url} .* /always\\b.* info\\b`)) as string,
    details: "1",
  });
  expect(requests.length).toBeGreaterThan(3);
});

test("an error without a reason may pass", async () => {
  const { url } = await script({ "/x": [refusal("internal error", 13), refusal("", 2), { body: { a: 1 } }] });
  expect(await openRest(url).get("/x", whole)).toEqual({ a: 1 });
});

test("a redirect is followed on the same host only", async () => {
  const other = await script({ "/x": [{ body: { from: "another host" } }] });
  const { url, requests } = await script({
    "/near": [{ status: 307, headers: { location: "/x" } }],
    "/far": [{ status: 302, headers: { location: `${other.url}/x` } }],
    "/round": [{ status: 301, headers: { location: "/round" } }],
    "/x": [{ body: { from: "here" } }],
  });
  const rest = openRest(url);
  expect(await rest.query("/near", { args: [1] }, whole)).toEqual({ from: "here" });
  expect(requests[1]).toMatchObject({ method: "POST", body: '{"args":[1]}' });
  await expect(rest.get("/far", whole)).rejects.toMatchObject({
    code: "NODE_REDIRECTED",
    shortMessage: expect.stringContaining(new URL(other.url).host) as string,
  });
  expect(other.requests).toHaveLength(0);
  await expect(rest.get("/round", whole)).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
});

test("an abort ends a silent request with the caller's reason", async () => {
  const { url, requests } = await script({ "/x": [{ instead: "silence" }] });
  const caller = new AbortController();
  const request = openRest(url).get("/x", whole, { signal: caller.signal });
  await expect.poll(() => requests.length).toBe(1);
  const reason = new Error("enough");
  caller.abort(reason);
  await expect(request).rejects.toBe(reason);
});

test("an error that means absence returns undefined, any other error is thrown", async () => {
  const absence = new Error("not there");
  const isAbsence = (error: unknown): boolean => error === absence;
  expect(await undefinedIf(isAbsence, Promise.resolve(0n))).toBe(0n);
  expect(await undefinedIf(isAbsence, Promise.reject(absence))).toBeUndefined();
  await expect(undefinedIf(isAbsence, Promise.reject(new Error("busy")))).rejects.toThrow("busy");
});
