import { getEventListeners } from "node:events";
import { afterEach, expect, test, vi } from "vitest";
import { until } from "@vipscore/testkit/until";
import { readMetadata } from "../src/metadata.ts";
import { failure, sendJson, sendText, type Handler } from "./httpServer.ts";
import { playHosts } from "./playedHosts.ts";

const uri = "ipfs://QmRjQyxLwvd6D4fGSDx3uPM1nRmBnX4HwEaK5p8fuZFtpp/1";
const gateways = { ipfs: ["https://one.example/ipfs/", "https://two.example/ipfs/", "https://three.example/ipfs/"] };
const good: Handler = (_, response) => sendJson(response, { name: "good", image: "ipfs://" + "Q".repeat(46) });
const metadata = { name: "good", image: `https://one.example/ipfs/${"Q".repeat(46)}` };
const down: Handler = (_, response) => response.destroy();
const silent: Handler = () => undefined;

afterEach(() => void vi.useRealTimers());

/** From then on, timers of the client end only when the test advances the clock. */
const stopTimers = () => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });

test.each<readonly [string, Handler]>([
  ["is down", down],
  ["answers 429", (_, response) => sendText(response, 429)],
  ["answers with a web page", (_, response) => response.end("<!doctype html>")],
])("the next gateway is asked if the first %s", async (_, first) => {
  const server = await playHosts({ "one.example": first, "two.example": good, "three.example": good });
  stopTimers();
  expect(await readMetadata(uri, { gateways })).toMatchObject({ ok: true, metadata });
  expect(server.requests).toHaveLength(2);
});

test("the next gateway is asked if the first is late; the first good answer ends the others", async () => {
  const server = await playHosts({ "one.example": silent, "two.example": silent, "three.example": good });
  stopTimers();
  const result = readMetadata(uri, { gateways });
  for (const asked of [1, 2]) {
    await until("a request", () => server.requests.length === asked);
    await vi.advanceTimersByTimeAsync(2_999);
    expect(server.begun()).toBe(asked);
    await vi.advanceTimersByTimeAsync(1);
  }
  expect(await result).toMatchObject({ ok: true, metadata });
  await until("the end of the others", () => server.leftEarly() === 2);
  expect(vi.getTimerCount()).toBe(0);
});

test("a first gateway that is late may still be the first to answer", async () => {
  let finish: (() => void) | undefined;
  const server = await playHosts({
    "one.example": (_, response) => (finish = () => sendJson(response, metadata)),
    "two.example": silent,
    "three.example": down,
  });
  stopTimers();
  const result = readMetadata(uri, { gateways });
  await until("a request", () => server.requests.length === 1);
  await vi.advanceTimersByTimeAsync(3_000);
  await until("a request", () => server.requests.length === 2);
  finish?.();
  expect(await result).toMatchObject({ ok: true, metadata });
  await until("the end of the others", () => server.leftEarly() === 1);
  expect(server.requests).toHaveLength(2);
});

test("the failure has the last reason, and what each gateway did", async () => {
  await playHosts({
    "one.example": down,
    "two.example": (_, response) => sendText(response, 404),
    "three.example": ["10.0.0.1"],
  });
  expect(await readMetadata(uri, { gateways })).toEqual({
    ok: false,
    reason: "METADATA_PRIVATE_ADDRESS",
    details: expect.stringMatching(
      /^one\.example .*; two\.example .*\b404\b.*; three\.example .*10\.0\.0\.1/,
    ) as string,
  });
});

test("one timeout for all gateways", async () => {
  const server = await playHosts({ "one.example": down, "two.example": silent, "three.example": good });
  stopTimers();
  const result = readMetadata(uri, { gateways, timeoutMs: 2_000 });
  await until("a request", () => server.requests.length === 2);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await result).toMatchObject({ ok: false, reason: "METADATA_TIMEOUT" });
  expect(server.requests).toHaveLength(2);
});

test("an abort throws the caller's reason", async () => {
  const reason = new Error("enough");
  const server = await playHosts({ "one.example": silent, "two.example": good });
  expect(await failure(readMetadata(uri, { gateways, signal: AbortSignal.abort(reason) }))).toBe(reason);
  expect(server.requests).toHaveLength(0);
  const caller = new AbortController();
  stopTimers();
  const result = failure(readMetadata(uri, { gateways, signal: caller.signal }));
  await until("a request", () => server.requests.length === 1);
  caller.abort(reason);
  expect(await result).toBe(reason);
  await until("the end of the others", () => server.leftEarly() === 1);
  expect(server.requests).toHaveLength(1);
  expect(getEventListeners(caller.signal, "abort")).toHaveLength(0);
  expect(vi.getTimerCount()).toBe(0);
});
