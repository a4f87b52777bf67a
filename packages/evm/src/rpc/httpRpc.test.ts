import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { httpRpc } from "./httpRpc.ts";
import { isCallFailure, RpcError } from "./jsonRpc.ts";

type Answer = (request: { readonly method: string; readonly id: number }, response: ServerResponse) => void;

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A server that answers the n-th request with the n-th answer, and the rest with the last one. */
async function serve(...answers: readonly Answer[]) {
  const requests: { readonly headers: IncomingMessage["headers"]; readonly method: string }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const call = JSON.parse(Buffer.concat(chunks).toString()) as { method: string; id: number };
      const answer = answers[Math.min(requests.length, answers.length - 1)];
      requests.push({ headers: request.headers, method: call.method });
      answer?.(call, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests };
}

const result =
  (value: unknown): Answer =>
  ({ id }, response) =>
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: value }));
const failure =
  (error: object, status = 200): Answer =>
  ({ id }, response) =>
    response.writeHead(status).end(JSON.stringify({ jsonrpc: "2.0", id, error }));
const status =
  (code: number, text = ""): Answer =>
  (_, response) =>
    response.writeHead(code).end(text);

test("a result is given as it is, null included", async () => {
  const { url } = await serve(result("0x1"), result(null));
  const rpc = httpRpc(url);
  expect(await rpc.request("eth_chainId", [], { attempts: "read" })).toBe("0x1");
  expect(await rpc.request("eth_getTransactionReceipt", ["0x00"], { attempts: "read" })).toBeNull();
});

test("credentials of the URL go into a header and into no message", async () => {
  const { url, requests } = await serve(status(401, "no such project: secret-token"));
  const rpc = httpRpc(`${url.replace("//", "//user:p%40ss@")}/v1/secret-token?key=secret`);
  const error = await rpc.request("eth_chainId", [], { attempts: "read" }).catch((thrown: unknown) => thrown);
  expect(requests[0]?.headers.authorization).toBe(`Basic ${Buffer.from("user:p@ss").toString("base64")}`);
  expect(error).toMatchObject({ code: "NODE_ERROR", details: "no such project: …" });
  expect(`${rpc.endpoint} ${String(error)} ${JSON.stringify(error)}`).not.toMatch(/secret|p@ss|p%40ss|user/);
});

test.each([
  ["no URL", "not a url"],
  ["a key in its place", "0x0123456789012345678901234567890123456789012345678901234567890123"],
  ["another scheme", "ftp://example.org"],
])("%s is refused without repeating it", (_, text) => {
  expect(() => httpRpc(text)).toThrowError(expect.objectContaining({ code: "CONFIG_INVALID" }));
  expect(() => httpRpc(text)).not.toThrowError(text);
});

test("a node's error keeps its code and its revert data, wherever the node puts it", async () => {
  const { url } = await serve(
    failure({ code: 3, message: "execution reverted", data: "0x08c379a0" }),
    failure({ code: -32603, message: "Error: reverted", data: { message: "reverted", data: "0x08c379a0" } }),
    failure({ code: -32000, message: "Reverted" }),
  );
  const rpc = httpRpc(url);
  for (const data of ["0x08c379a0", "0x08c379a0", undefined]) {
    const error: unknown = await rpc.request("eth_call", [], { attempts: "read" }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RpcError);
    expect(error).toMatchObject({ code: "NODE_ERROR", data });
    expect(isCallFailure(error)).toBe(true);
  }
});

test("an error with an HTTP status of its own is the node's error", async () => {
  const { url } = await serve(failure({ code: -32000, message: "nonce too low" }, 400));
  const request = httpRpc(url).request("eth_sendRawTransaction", ["0x00"], { attempts: "once" });
  await expect(request).rejects.toMatchObject({ code: "NODE_ERROR", details: "nonce too low" });
});

test.each([
  ["a web page", status(200, "<!doctype html><title>hello</title>"), "NODE_BAD_RESPONSE"],
  ["another JSON", status(200, `{"hello":1}`), "NODE_BAD_RESPONSE"],
  ["a list", status(200, "[]"), "NODE_BAD_RESPONSE"],
  ["nothing", status(200), "NODE_BAD_RESPONSE"],
  ["the answer to another request", status(200, `{"jsonrpc":"2.0","id":-1,"result":"0x1"}`), "NODE_BAD_RESPONSE"],
  ["status 404", status(404, "<html>"), "NODE_BAD_RESPONSE"],
  ["status 403", status(403), "NODE_ERROR"],
])("%s: %s", async (_, answer, code) => {
  const { url, requests } = await serve(answer);
  await expect(httpRpc(url).request("eth_chainId", [], { attempts: "read" })).rejects.toMatchObject({ code });
  expect(requests).toHaveLength(1);
});

test.each([
  ["429", status(429)],
  ["503", status(503)],
  ["an internal error", failure({ code: -32603, message: "Internal error" })],
  ["a rate limit in JSON", failure({ code: -32005, message: "limit exceeded" })],
  ["a node that lags behind", failure({ code: -32000, message: "header not found" })],
  ["a connection that is cut", ((_, response) => response.destroy()) satisfies Answer],
])("a read is repeated after %s", async (_, passing) => {
  const { url, requests } = await serve(passing, result("0x1"));
  expect(await httpRpc(url).request("eth_chainId", [], { attempts: "read" })).toBe("0x1");
  expect(requests).toHaveLength(2);
});

test("a read gives up once its patience is over", async () => {
  const { url } = await serve(status(503));
  const request = httpRpc(url, 300).request("eth_chainId", [], { attempts: "read" });
  await expect(request).rejects.toMatchObject({ code: "NODE_UNREACHABLE" });
});

test("a failed call is not repeated, whatever its code", async () => {
  const { url, requests } = await serve(failure({ code: -32603, message: "VM Exception: reverted" }));
  const request = httpRpc(url).request("eth_call", [], { attempts: "read" });
  await expect(request).rejects.toMatchObject({ code: "NODE_ERROR" });
  expect(requests).toHaveLength(1);
});

test("what is no answer to the request is passing where the endpoint answered before", async () => {
  const ofAnother = status(200, JSON.stringify({ jsonrpc: "2.0", id: 8, result: "0x3" }));
  const foreign = [status(200, "<html>"), status(200), ofAnother];
  const { url } = await serve(result("0x1"), ...foreign, result("0x2"));
  const rpc = httpRpc(url);
  expect(await rpc.request("eth_chainId", [], { attempts: "read" })).toBe("0x1");
  expect(await rpc.request("eth_chainId", [], { attempts: "read" })).toBe("0x2");
});

test.each([
  ["a cut connection", ((_, response) => response.destroy()) satisfies Answer],
  ["503", status(503)],
])(
  "a request that must not be repeated is sent once, then %s is an endpoint that does not answer",
  async (_, answer) => {
    const { url, requests } = await serve(answer, result("0x1"));
    const request = httpRpc(url).request("eth_sendRawTransaction", ["0x00"], { attempts: "once" });
    await expect(request).rejects.toMatchObject({ code: "NODE_UNREACHABLE" });
    expect(requests).toHaveLength(1);
  },
);

test("nobody at the port: the system's reason is in the message", async () => {
  const { url } = await serve(result("0x1"));
  await closers.pop()?.();
  const request = httpRpc(url).request("eth_chainId", [], { attempts: "once" });
  await expect(request).rejects.toMatchObject({ code: "NODE_UNREACHABLE", details: "ECONNREFUSED" });
});

test("a node that is silent for too long does not answer", async () => {
  const { url } = await serve(() => {});
  const request = httpRpc(url, 50).request("eth_chainId", [], { attempts: "once" });
  await expect(request).rejects.toMatchObject({ code: "NODE_UNREACHABLE" });
});

test("an abort ends a silent request with the caller's reason", async () => {
  const { url, requests } = await serve(() => {});
  const caller = new AbortController();
  const request = httpRpc(url).request("eth_chainId", [], { attempts: "read", signal: caller.signal });
  await expect.poll(() => requests.length).toBe(1);
  const reason = new Error("enough");
  caller.abort(reason);
  await expect(request).rejects.toBe(reason);
});

test("an abort ends the pause before a repetition with the caller's reason", async () => {
  const { url, requests } = await serve(status(503));
  const caller = new AbortController();
  const request = httpRpc(url).request("eth_chainId", [], { attempts: "read", signal: caller.signal });
  await expect.poll(() => requests.length).toBe(1);
  const reason = new Error("enough");
  caller.abort(reason);
  await expect(request).rejects.toBe(reason);
});
