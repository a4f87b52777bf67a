import { expect, test } from "vitest";
import { RpcError, type Answer } from "@vipscore/core/wire";
import { callsOf, playNode, type SeenCall } from "@vipscore/testkit/scriptedServer";
import { openEvmRpc } from "../../src/evm/evmRpc.ts";

const { signal } = new AbortController();
const number = (answer: Answer) => answer.integer();
const double = ({ params }: SeenCall) => ({ result: Number(params[0]) * 2 });
const calls = Array.from({ length: 250 }, (_, index) => ({ method: "double", params: [index] }));
const doubled = calls.map((_, index) => index * 2);
const isBatch = (seen: readonly SeenCall[] | SeenCall) => !("method" in seen);

test("many calls are sent in batches of 100, with the results in order", async () => {
  const { url, requests } = await playNode(double);
  expect(await openEvmRpc(url).readAll(calls, number, signal)).toEqual(doubled);
  const sizes = requests.map((request) => (callsOf(request) as readonly SeenCall[]).length);
  expect(sizes.sort((a, b) => a - b)).toEqual([50, 100, 100]);
});

test("answers of a batch may come in any order", async () => {
  const { url } = await playNode(double, (seen) => {
    if ("method" in seen) return undefined;
    return { body: JSON.stringify(seen.map((call) => ({ id: call.id, ...double(call) })).reverse()) };
  });
  expect(await openEvmRpc(url).readAll(calls, number, signal)).toEqual(doubled);
});

test.each([
  ["an error object", { body: { id: null, error: { code: -32600, message: "batch requests are not supported" } } }],
  ["status 400", { status: 400, body: "no batches" }],
  ["status 413", { status: 413, body: "" }],
])("an endpoint that answers a batch with %s gets single calls from then on", async (_, refused) => {
  const { url, requests } = await playNode(double, (seen) => (isBatch(seen) ? refused : undefined));
  const rpc = openEvmRpc(url);
  expect(await rpc.readAll(calls.slice(0, 20), number, signal)).toEqual(doubled.slice(0, 20));
  expect(await rpc.readAll(calls.slice(0, 20), number, signal)).toEqual(doubled.slice(0, 20));
  expect(requests.filter((request) => isBatch(callsOf(request)))).toHaveLength(1);
});

test("calls that do not fit into a batch's answer, or are missing from it, are sent again", async () => {
  const { url } = await playNode(double, (seen) => {
    if ("method" in seen) return undefined;
    const fit = seen.slice(0, 7).map((call) => ({ id: call.id, ...double(call) }));
    const error = { code: -32003, message: "response too large" };
    return { body: JSON.stringify([...fit, ...seen.slice(7, 60).map(({ id }) => ({ id, error }))]) };
  });
  expect(await openEvmRpc(url).readAll(calls, number, signal)).toEqual(doubled);
});

test("an endpoint that is busy for a while is asked again for as long as its reader waits", async () => {
  let busy = 3;
  const { url } = await playNode(double, () => ((busy -= 1) >= 0 ? { status: 503, body: "" } : undefined));
  const read = (patienceMs: number) =>
    openEvmRpc(url, { patienceMs }).read("double", [21], (answer) => answer.integer(), signal);
  await expect(read(0)).rejects.toMatchObject({ code: "NODE_UNREACHABLE" });
  expect(await read(30_000)).toBe(42);
});

test("a batch with an answer above 64 MiB is sent call by call", async () => {
  const { url } = await playNode(double, (seen) => (isBatch(seen) ? { body: "[".repeat(67_108_865) } : undefined));
  expect(await openEvmRpc(url).readAll(calls.slice(0, 5), number, signal)).toEqual(doubled.slice(0, 5));
});

test("a refusal takes the place of its result", async () => {
  const error = { code: -32601, message: "the method triple does not exist" };
  const { url } = await playNode((call) => (call.method === "triple" ? { error } : double(call)));
  const triple = { method: "triple", params: [] };
  const [first, second, third] = await openEvmRpc(url).readAll(
    [...calls.slice(1, 2), triple, ...calls.slice(2, 3)],
    number,
    signal,
  );
  expect([first, third]).toEqual([2, 4]);
  expect(second).toBeInstanceOf(RpcError);
});

test.each([
  ["status 503", { status: 503, body: "" }],
  ["status 429", { status: 429, body: "" }],
  ["a rate limit", { body: { id: 1, error: { code: 429, message: "rate limit exceeded" } } }],
  ["a node that lags behind", { body: { id: 1, error: { code: -32000, message: "header not found" } } }],
])("a call or a batch is retried after %s", async (_, passing) => {
  const { url, requests } = await playNode(double, (_calls, earlier) => (earlier % 2 === 0 ? passing : undefined));
  const rpc = openEvmRpc(url);
  expect(await rpc.read("double", [21], number, signal)).toBe(42);
  expect(await rpc.readAll(calls.slice(0, 3), number, signal)).toEqual([0, 2, 4]);
  expect(requests).toHaveLength(4);
});

test("a call with an unreadable result is retried, also in a batch", async () => {
  const turns = new Map<unknown, number>();
  const { url, requests } = await playNode((call) => {
    const [at] = call.params;
    const turn = turns.get(at) ?? 0;
    turns.set(at, turn + 1);
    return turn === 0 && Number(at) % 2 === 1 ? { result: "half" } : double(call);
  });
  const rpc = openEvmRpc(url);
  expect(await rpc.read("double", [21], number, signal)).toBe(42);
  expect(await rpc.readAll(calls.slice(0, 4), number, signal)).toEqual([0, 2, 4, 6]);
  expect(requests).toHaveLength(2 + 3);
});

test("a result that is never readable is an error that names it", async () => {
  const { url } = await playNode((call) => (call.params[0] === 1 ? { result: { no: "number" } } : double(call)));
  await expect(openEvmRpc(url).readAll(calls.slice(0, 3), number, signal)).rejects.toMatchObject({
    code: "NODE_BAD_RESPONSE",
    shortMessage: expect.stringMatching(new RegExp(`^${url} .*\\bdouble\\b`)) as unknown,
  });
});

test.each([
  ["an internal error", { code: -32603, message: "Internal error" }],
  ["a limit of another kind", { code: -32005, message: "daily request count exceeded" }],
  ["an unknown code", { code: -31999, message: "quux 17" }],
])("%s is retried within the patience, and then takes the place of the result", async (_, error) => {
  const { url, requests } = await playNode(() => ({ error }));
  const rpc = openEvmRpc(url, { patienceMs: 300 });
  expect(await rpc.readAll(calls.slice(0, 2), number, signal)).toEqual([expect.any(RpcError), expect.any(RpcError)]);
  const sent = requests.length;
  expect(sent).toBeGreaterThan(1);
  await expect(rpc.read("double", [1], number, signal)).rejects.toBeInstanceOf(RpcError);
  expect(requests.length).toBeGreaterThan(sent + 1);
});

test("of a batch, only the calls that were refused are sent again", async () => {
  const counts = new Map<unknown, number>();
  const { url } = await playNode((call) => {
    const [at] = call.params;
    const count = (counts.get(at) ?? 0) + 1;
    counts.set(at, count);
    return count === 1 && Number(at) >= 60 ? { error: { code: -32007, message: "60/second reached" } } : double(call);
  });
  expect(await openEvmRpc(url).readAll(calls.slice(0, 90), number, signal)).toEqual(doubled.slice(0, 90));
  expect([...counts.values()].filter((count) => count === 1)).toHaveLength(60);
});

test("a batch whose connection is closed because of its size is sent in halves", async () => {
  const { url } = await playNode(double, (seen) =>
    (seen as readonly SeenCall[]).length > 6 ? { instead: "cut" } : undefined,
  );
  expect(await openEvmRpc(url, { patienceMs: 300 }).readAll(calls.slice(0, 20), number, signal)).toEqual(
    doubled.slice(0, 20),
  );
});

test("the error for an unreachable endpoint does not contain secrets of its URL", async () => {
  const { url, close } = await playNode(double);
  await close();
  const rpc = openEvmRpc(`${url.replace("//", "//user:pass-word@")}/v1/0123456789abcdef`);
  const error = await rpc.read("double", [1], number, signal).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "NODE_UNREACHABLE" });
  expect(`${String(error)} ${JSON.stringify(error)} ${rpc.endpoint}`).not.toMatch(/pass-word|0123456789abcdef/);
});
