import { afterAll, beforeAll, expect, test } from "vitest";
import { JsonRpcFailure, serveJsonRpc } from "./jsonRpcServer.ts";
import type { LoopbackServer } from "./listenOnLoopback.ts";

let server: LoopbackServer;
const order: unknown[] = [];

beforeAll(async () => {
  server = await serveJsonRpc(async (method, params) => {
    order.push(params[0]);
    if (method === "fail") throw new JsonRpcFailure(-32000, "refused", "0xdeadbeef");
    if (method === "break") throw new TypeError("broken");
    if (method === "nothing") return undefined;
    await new Promise((resolve) => setImmediate(resolve));
    return params;
  }, 0);
});
afterAll(() => server.close());

async function post(body: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(server.url, { method: "POST", body });
  return { status: response.status, body: await response.json() };
}
const call = (method: string, params: unknown[] = [], id: unknown = 1): object => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

test("a result, an absent result, an error with code and data, and an unexpected error", async () => {
  const answers = [call("echo", ["a"]), call("nothing"), call("fail"), call("break")].map((body) =>
    post(JSON.stringify(body)),
  );
  expect((await Promise.all(answers)).map(({ body }) => body)).toEqual([
    { jsonrpc: "2.0", id: 1, result: ["a"] },
    { jsonrpc: "2.0", id: 1, result: null },
    { jsonrpc: "2.0", id: 1, error: { code: -32000, message: "refused", data: "0xdeadbeef" } },
    { jsonrpc: "2.0", id: 1, error: { code: -32603, message: "broken" } },
  ]);
});

test("the calls of a batch run in order", async () => {
  order.length = 0;
  const batch = [1, 2, 3].map((n) => call("echo", [n], n));
  expect((await post(JSON.stringify(batch))).body).toEqual(
    [1, 2, 3].map((n) => ({ jsonrpc: "2.0", id: n, result: [n] })),
  );
  expect(order).toEqual([1, 2, 3]);
});

test("a page of another origin may call it", async () => {
  const preflight = await fetch(server.url, { method: "OPTIONS" });
  const answered = await fetch(server.url, { method: "POST", body: JSON.stringify(call("echo")) });
  const allowed = [preflight, answered].map(({ headers }) => headers.get("access-control-allow-origin"));
  expect([preflight.status, allowed]).toEqual([204, ["*", "*"]]);
  expect(preflight.headers.get("access-control-allow-headers")).toBe("*");
});

test("input that is not a call, not JSON, or too large is refused and the server continues", async () => {
  expect(await post("{")).toMatchObject({ status: 400, body: { error: { code: -32700 } } });
  expect(await post("3")).toMatchObject({ status: 200, body: { id: null, error: { code: -32600 } } });
  expect(await post('{"id":7,"method":"echo","params":{}}')).toMatchObject({
    body: { id: 7, error: { code: -32600 } },
  });
  expect(await post(" ".repeat(33 * 1024 * 1024))).toMatchObject({ status: 413 });
  expect(await post(JSON.stringify(call("echo")))).toMatchObject({ status: 200, body: { result: [] } });
});

test("a port in use is an error that names it", async () => {
  const port = Number(new URL(server.url).port);
  await expect(serveJsonRpc(() => Promise.resolve(null), port)).rejects.toMatchObject({
    code: "CONFIG_INVALID",
    shortMessage: expect.stringContaining(`port ${port} `) as string,
  });
});

test.each([-1, 65_536, 1.5, Number.NaN])("port %s is refused", async (port) => {
  await expect(serveJsonRpc(() => Promise.resolve(null), port)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
});

test("closing frees the port, even with a connection open", async () => {
  const first = await serveJsonRpc(() => Promise.resolve(1), 0);
  const response = await fetch(first.url, { method: "POST", body: JSON.stringify(call("echo")), keepalive: true });
  await response.text();
  await first.close();
  await first.close();
  const second = await serveJsonRpc(() => Promise.resolve(2), Number(new URL(first.url).port));
  expect(second.url).toBe(first.url);
  await second.close();
});
