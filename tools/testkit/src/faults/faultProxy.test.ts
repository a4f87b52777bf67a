import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { script, type ScriptedServer } from "../scriptedServer.ts";
import { seededRandom } from "../seededRandom.ts";
import { until } from "../until.ts";
import type { FaultKind } from "./faultChoice.ts";
import { startFaultProxy, type FaultProxy, type FaultProxyOptions } from "./faultProxy.ts";
import { evmProtocol } from "./nodeProtocol.ts";
import { shortTiming } from "./playFault.ts";

const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] });
const answer = { jsonrpc: "2.0", id: 1, result: "0x7a69" };
let node: ScriptedServer;
let proxy: FaultProxy;

beforeEach(async () => {
  node = await script(() => ({ body: answer }));
});
afterEach(() => proxy.close());

/** Starts a proxy that plays one fault on every request; `seed` decides how. */
async function play(kind: FaultKind | undefined, options: Partial<FaultProxyOptions> = {}, seed = 1): Promise<void> {
  proxy = await startFaultProxy({
    upstreamUrl: node.url,
    protocol: evmProtocol,
    choose: () => (kind === undefined ? undefined : { kind, random: seededRandom(seed) }),
    timing: shortTiming,
    ...options,
  });
}

function ask(signal?: AbortSignal): Promise<Response> {
  return fetch(proxy.url, { method: "POST", body, ...(signal && { signal }) });
}

test("without a fault the node's answer passes, and the request is logged", async () => {
  await play(undefined);
  expect(await (await ask()).json()).toEqual(answer);
  expect(proxy.log.requests).toEqual([{ number: 1, role: "read", title: "eth_chainId", hashes: [] }]);
  expect(proxy.log.counts).toEqual({});
});

test.each(["delay", "duplicate"] as const)("%s: the answer is the node's", async (kind) => {
  await play(kind);
  expect(await (await ask()).json()).toEqual(answer);
  expect(node.requests).toHaveLength(kind === "duplicate" ? 2 : 1);
  expect(proxy.log.counts).toEqual({ [kind]: 1 });
});

test.each([
  ["reset", 0],
  ["lostAnswer", 1],
] as const)("%s: no answer; the node has %i requests", async (kind, requests) => {
  await play(kind);
  await expect(ask()).rejects.toThrow(TypeError);
  expect(node.requests).toHaveLength(requests);
});

test("hang: no answer until the client leaves or the connection is finally reset", async () => {
  await play("hang", { timing: { ...shortTiming, hangMs: 3_600_000 } });
  const leaving = new AbortController();
  const asking = ask(leaving.signal);
  await until("the request", () => proxy.log.requests.length === 1);
  leaving.abort();
  await expect(asking).rejects.toMatchObject({ name: "AbortError" });
  await proxy.close();
  await play("hang", { timing: { ...shortTiming, hangMs: 10 } });
  await expect(ask()).rejects.toThrow(TypeError);
});

test.each([
  ["limited", [429], 0],
  ["limitedRetryAfter", [429], 0],
  ["unavailable", [500, 502, 503, 504], 0],
  ["unavailableAfter", [502, 503], 1],
] as const)("%s: status %s; the node has the request %i times", async (kind, statuses, requests) => {
  await play(kind);
  const response = await ask();
  expect(statuses).toContain(response.status);
  expect(response.headers.get("retry-after")).toBe(kind === "limitedRetryAfter" ? "1" : null);
  expect(node.requests).toHaveLength(requests);
});

test.each([
  ["webPage", /^<!doctype html>/],
  ["emptyAnswer", /^$/],
] as const)("%s with status 200; the seed decides whether the node has the request", async (kind, text) => {
  const forwarded = new Set<number>();
  for (let seed = 0; seed < 8; seed += 1) {
    const before = node.requests.length;
    await play(kind, {}, seed);
    const response = await ask();
    expect(response.status).toBe(200);
    expect(await response.text()).toMatch(text);
    forwarded.add(node.requests.length - before);
    await proxy.close();
  }
  expect(forwarded).toEqual(new Set([0, 1]));
});

test("truncated: half of the node's JSON", async () => {
  await play("truncated");
  const text = await (await ask()).text();
  expect(text).toBe(JSON.stringify(answer).slice(0, text.length));
  expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
});

test("restart: open requests are cut, the port refuses connections and then opens again", async () => {
  let faults = 0;
  const slow = await script((_request, earlier) => (earlier.length === 0 ? { instead: "silence" } : { body: answer }));
  await play(undefined, {
    upstreamUrl: slow.url,
    choose: () => {
      faults += 1;
      return faults === 2 ? { kind: "restart", random: seededRandom(1) } : undefined;
    },
  });
  const underWay = ask();
  await until("the first request", () => slow.requests.length === 1);
  await expect(Promise.all([underWay, ask()])).rejects.toThrow(TypeError);
  await expect(underWay).rejects.toThrow(TypeError);
  await expect(ask()).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });
  const response = await until("the port", () => ask().catch(() => undefined));
  expect(await response.json()).toEqual(answer);
  expect(proxy.log.counts).toEqual({ restart: 2 });
  // The silent upstream would keep the proxy from closing.
  await slow.close();
});

describe("faults that use the proxy's options", () => {
  test("staleRead: another endpoint answers", async () => {
    const stale = await script(() => ({ body: { ...answer, result: "0x1" } }));
    await play("staleRead", { staleUrl: stale.url });
    expect(await (await ask()).json()).toMatchObject({ result: "0x1" });
    expect(node.requests).toHaveLength(0);
  });

  test("otherWriter and baseFeeJump: first the other thing happens, then the request is forwarded", async () => {
    const seen: string[] = [];
    const writeAsOther = () => Promise.resolve(seen.push(`writer before ${node.requests.length}`)).then(() => "sent");
    const jumpBaseFee = (gwei: number) => Promise.resolve(void seen.push(`${gwei} gwei`));
    await play("otherWriter", { writeAsOther });
    expect(await (await ask()).json()).toEqual(answer);
    expect(proxy.log.played).toMatchObject([{ fault: "otherWriter", detail: "sent" }]);
    await proxy.close();
    await play("baseFeeJump", { jumpBaseFee });
    expect(await (await ask()).json()).toEqual(answer);
    expect(seen).toEqual(["writer before 0", expect.stringMatching(/^10+ gwei$/)]);
  });
});
