import { once } from "node:events";
import { connect } from "node:net";
import { Hono } from "hono";
import { expect, it, onTestFinished } from "vitest";
import { createApi } from "../../src/api/createApi.ts";
import { serveApi } from "../../src/api/serveApi.ts";
import { address, apply, block, collection, mint } from "../store/blocks.ts";
import { openNew } from "../store/databases.ts";

it("serves the API on the given host and port, with or without a trailing slash", async () => {
  const url = await serveSample();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const response = await fetch(`${url}/indexer/nft/v1/tokens/by_collection/0xc1/?token_id=a+b`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(await response.json()).toMatchObject({ tokens: [{ nft: { token_id: "a b" } }] });
  const encoded = await fetch(`${url}/indexer/nft/v1/tokens/by_account/%30xaa`);
  expect(encoded.status).toBe(400);
});

it("answers 431 as text if the headers exceed 16 KiB, and accepts a little less", async () => {
  const url = await serveSample();
  const status = `${url}/status?`;
  const tooLong = await fetch(status + "a".repeat(16 * 1024));
  expect([tooLong.status, tooLong.headers.get("content-type"), await tooLong.text()]).toEqual([
    431,
    "text/plain; charset=utf-8",
    "Request Header Fields Too Large",
  ]);
  expect((await fetch(`${url}/status`, { headers: { "x-long": "a".repeat(17_000) } })).status).toBe(431);
  expect((await fetch(status + "a".repeat(15_000))).status).toBe(200);
});

it("answers input that is not HTTP with 400 as text", async () => {
  const answer = await exchange(await serveSample(), "this is not a request\r\n\r\n");
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(answer).toMatch(/\r\n\r\nBad Request$/);
});

it("answers HTTP/1.0 requests, and paths that no URL can have", async () => {
  const url = await serveSample();
  expect(await exchange(url, "GET /status HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*"height":1/);
  const close = "Host: x\r\nConnection: close\r\n\r\n";
  expect(await exchange(url, `GET //status HTTP/1.1\r\n${close}`)).toMatch(/ 404 [^]*Cannot GET \/\/status$/);
  const odd = "/indexer/nft/v1/tokens/by_account/%zz?%zz=%&token_id=%E0%A4%A";
  expect(await exchange(url, `GET ${odd} HTTP/1.1\r\n${close}`)).toMatch(/ 400 [^]*account: %zz \(invalid/);
});

it("reports an address that it cannot listen on", async () => {
  const url = new URL(await serveSample());
  const taken = serveApi({ api: new Hono(), host: "127.0.0.1", port: Number(url.port) });
  await expect(taken).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  await expect(serveApi({ api: new Hono(), host: "192.0.2.1", port: 0 })).rejects.toMatchObject({
    code: "CONFIG_INVALID",
  });
});

it("closes while a request is pending and connections are kept alive", async () => {
  const api = new Hono();
  let isAsked: () => void = () => {};
  const asked = new Promise<void>((resolve) => (isAsked = resolve));
  api.get("/never", () => {
    isAsked();
    return new Promise<Response>(() => {});
  });
  api.get("/", (c) => c.text("here"));
  const server = await serveApi({ api, host: "127.0.0.1", port: 0 });
  expect(await (await fetch(server.url)).text()).toBe("here");
  const never = fetch(`${server.url}/never`);
  never.catch(() => undefined);
  await asked;
  await server.close();
  await expect(never).rejects.toThrow();
  await expect(fetch(server.url)).rejects.toThrow();
});

it.each([
  ["sends nothing", ""],
  ["does not finish its first line", "GET /sta"],
  ["does not finish its headers", "GET /status HTTP/1.1\r\nHost: x\r\n"],
  ["does not finish its body", "GET /status HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1"],
])("closes a connection that %s", async (_, text) => {
  const answer = await exchange(await serveSample(), text);
  expect(answer).toMatch(/^HTTP\/1\.1 (?:200|408) |^$/);
});

it("closes a connection whose client sends its request byte by byte", async () => {
  const { hostname, port } = new URL(await serveSample());
  // It ignores that the server has ended its side.
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  const dripping = setInterval(() => socket.write("x"), 500);
  socket.on("error", () => undefined);
  socket.write("GET /status HTTP/1.1\r\nX-Slow: ");
  let answer = "";
  socket.on("data", (chunk) => (answer += String(chunk)));
  await new Promise((resolve) => socket.once("close", resolve));
  clearInterval(dripping);
  expect(answer).not.toContain("200 OK");
});

it("accepts 1,000 connections at a time, and more once some have ended", async () => {
  const url = await serveSample();
  const { hostname, port } = new URL(url);
  const open = Array.from({ length: 1_000 }, () => connect(Number(port), hostname));
  try {
    await Promise.all(open.map((socket) => once(socket, "connect")));
    const refused = connect(Number(port), hostname);
    refused.on("error", () => undefined);
    refused.resume();
    await once(refused, "close");
  } finally {
    for (const socket of open) socket.destroy();
  }
  const status = async () => (await fetch(`${url}/status`).catch(() => undefined))?.status;
  await expect.poll(status).toBe(200);
});

/** Sends a text over a connection and returns everything that comes back. */
async function exchange(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let answer = "";
  socket.on("data", (chunk) => (answer += String(chunk)));
  socket.write(text);
  await once(socket, "close");
  return answer;
}

async function serveSample(): Promise<string> {
  const store = await openNew(async () => ":memory:");
  await apply(store, block(1, collection(address("c1")), mint(address("c1"), "a b", address("aa"))));
  const server = await serveApi({ api: createApi({ store }), host: "127.0.0.1", port: 0 });
  onTestFinished(() => server.close());
  return server.url;
}
