import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer as createPlain } from "node:http";
import { createSecureServer } from "node:http2";
import { createServer } from "node:https";
import { createServer as createSocketServer, type AddressInfo, type Server } from "node:net";
import { join } from "node:path";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { openJsonRpc } from "./jsonRpc.ts";

let certificate: { readonly key: Buffer; readonly cert: Buffer };
beforeAll(() => {
  const folder = temporaryFolder();
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-days", "2", "-subj", "/CN=node.example", "-addext", "subjectAltName=DNS:node.example"];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, ...subject], {
    stdio: "ignore",
  });
  certificate = { key: readFileSync(key), cert: readFileSync(cert) };
});

let servers: Server[] = [];
afterEach(() => {
  for (const server of servers) server.close();
  servers = [];
  vi.unstubAllEnvs();
});

async function listen(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const failureOf = (url: string, params: readonly unknown[] = [], patienceMs?: number): Promise<unknown> =>
  openJsonRpc(url, { patienceMs })
    .read("eth_chainId", params, () => undefined)
    .catch((error: unknown) => error);
const advice = (text: string): unknown => expect.arrayContaining([expect.stringContaining(text)]);

test.each<[string, () => Promise<string>, string]>([
  [
    "a certificate that nobody signed",
    async () => `https://${await listen(createServer(certificate))}`,
    "NODE_EXTRA_CA_CERTS",
  ],
  ["https on an http port", async () => `https://${await listen(createPlain())}`, "write http://"],
  [
    "HTTP/2 alone",
    async () => `https://${await listen(createSecureServer({ ...certificate, allowHTTP1: false }))}`,
    "HTTP/2",
  ],
])("%s ends a read at once, with advice", async (_, start, text) => {
  const error = await failureOf(await start());
  expect(error).toMatchObject({ code: "NODE_UNREACHABLE", isTransient: false, metaMessages: advice(text) });
});

test("a connection that is closed names the size of a large request, or TLS", async () => {
  const server = createSocketServer((socket) => socket.on("data", () => socket.resetAndDestroy()));
  const url = `http://${await listen(server)}`;
  expect(await failureOf(url, [], 600)).toMatchObject({ metaMessages: advice("https://") });
  const large = await failureOf(`https://${new URL(url).host}`, ["x".repeat(100_000)], 600);
  expect(large).toMatchObject({ code: "NODE_UNREACHABLE", metaMessages: advice("size of requests") });
});

test("a proxy that Node does not use is named", async () => {
  vi.stubEnv("HTTPS_PROXY", "http://proxy.example:3128");
  vi.stubEnv("NODE_USE_ENV_PROXY", "");
  const error = await failureOf("https://node.invalid", [], 0);
  expect(error).toMatchObject({ code: "NODE_UNREACHABLE", metaMessages: advice("NODE_USE_ENV_PROXY=1") });
});
