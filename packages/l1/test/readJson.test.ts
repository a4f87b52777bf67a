import { parseEndpoint } from "@vipscore/core/http";
import { expect, test } from "vitest";
import { readVipStage } from "../src/index.ts";
import { readJson } from "../src/rest/readJson.ts";
import { json, refusal, serve, text, type Answer } from "./l1Server.ts";

const read = { method: "GET", path: "/status" } as const;
const endpointOf = (url: string) => parseEndpoint(url, "REST URL of L1");
const cut: Answer = (_, response) => response.destroy();

test("the path of the URL stays in front, and its query beside", async () => {
  await using server = await serve(json({ fine: true }));
  expect(await readJson(endpointOf(`${server.url}/l1/?key=abc`), { ...read, query: { a: "b::c" } })).toEqual({
    fine: true,
  });
  expect(server.requests[0]?.path).toBe("/l1/status?key=abc&a=b%3A%3Ac");
});

test("credentials of the URL go into a header and into no message", async () => {
  const answers = [
    text("no such project: secret-token", 401),
    refusal(2, "unknown secret-token"),
    json("secret-token"),
  ];
  for (const answer of answers) {
    await using server = await serve(answer);
    const url = `${server.url.replace("//", "//user:p%40ssword@")}/v1/secret-token?key=secret-key`;
    const error: unknown = await readVipStage({ l1RestUrl: url }).catch((thrown: unknown) => thrown);
    expect(server.requests[0]?.headers.authorization).toBe(`Basic ${Buffer.from("user:p@ssword").toString("base64")}`);
    expect(error).toMatchObject({ name: expect.stringMatching(/^(Rest|Node|HttpStatus)Error$/) as unknown });
    const { details } = error as { readonly details?: string };
    expect(`${String(error)} ${details} ${JSON.stringify(error)}`).not.toMatch(/secret|p@ssword|p%40ssword/);
  }
});

test.each(["not a url", `0x${"12".repeat(32)}`, "ftp://example.org"])("%s is refused, not repeated", (url) => {
  expect(() => endpointOf(url)).toThrowError(expect.objectContaining({ code: "CONFIG_INVALID" }));
  expect(() => endpointOf(url)).not.toThrowError(url);
});

test.each([
  ["429", text("", 429)],
  ["503", text("", 503)],
  ["500 without a word of the node's", text("<html>", 500)],
  ["a node a block behind", refusal(2, "cannot query with height in the future; please provide a valid height")],
  ["a connection that is cut", cut],
])("a read is repeated after %s", async (_, passing) => {
  await using server = await serve(passing, json(1));
  expect(await readJson(endpointOf(server.url), read)).toBe(1);
  expect(server.requests).toHaveLength(2);
});

test("it gives up after four attempts", async () => {
  await using server = await serve(text("", 503));
  await expect(readJson(endpointOf(server.url), read)).rejects.toMatchObject({ code: "NODE_UNREACHABLE", status: 503 });
  expect(server.requests).toHaveLength(4);
});

test.each([
  ["a refusal", refusal(2, "codespace sdk code 1: no"), "NODE_ERROR"],
  ["403", text("", 403), "NODE_ERROR"],
  ["404", text("<html>", 404), "NODE_BAD_RESPONSE"],
  ["no JSON", text("{"), "NODE_BAD_RESPONSE"],
  ["17 MB", text("1".repeat(17_825_792)), "NODE_BAD_RESPONSE"],
])("%s is final", async (_, answer, code) => {
  await using server = await serve(answer);
  await expect(readJson(endpointOf(server.url), read)).rejects.toMatchObject({ code });
  expect(server.requests).toHaveLength(1);
});

test("a silent node does not answer", async () => {
  await using server = await serve(() => {});
  await expect(readJson(endpointOf(server.url), read, 30)).rejects.toMatchObject({ code: "NODE_UNREACHABLE" });
});

test("nobody at the port: the system's reason is in the message", async () => {
  const server = await serve(json(1));
  await server[Symbol.asyncDispose]();
  const failure = { code: "NODE_UNREACHABLE", details: "ECONNREFUSED" };
  await expect(readJson(endpointOf(server.url), read)).rejects.toMatchObject(failure);
});

test.each([
  ["a silent request", (() => {}) satisfies Answer],
  ["the pause before a repetition", text("", 503)],
])("an abort ends %s with the caller's reason", async (_, answer) => {
  await using server = await serve(answer);
  const caller = new AbortController();
  const reading = readVipStage({ l1RestUrl: server.url, signal: caller.signal });
  await expect.poll(() => server.requests.length).toBe(1);
  const reason = new Error("enough");
  caller.abort(reason);
  await expect(reading).rejects.toBe(reason);
});
