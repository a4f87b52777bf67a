import { createServer as createPlain } from "node:http";
import { createSecureServer } from "node:http2";
import { createServer } from "node:https";
import { createServer as createSocketServer, type AddressInfo, type Server } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { openJsonRpc } from "./jsonRpc.ts";

/** For node.example, signed by nobody, until 2126; its key is public. */
const certificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjtYY6y6TGp+eKugW
DmqI3+picXcTJD2167/A/KseqUChRANCAARoWlOX0ejZsveHTcHEIWJNflvSDMJH
DK/KIDL95x01EEjMexU5Q3A5BJiWGJfUOacEW8Y033jks85xqfQ9bTIY
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBnjCCAUSgAwIBAgIUO0ELOHr0QyaR2MmjtyaV1dJGEbQwCgYIKoZIzj0EAwIw
FzEVMBMGA1UEAwwMbm9kZS5leGFtcGxlMCAXDTI2MTEyNzAxMDc1M1oYDzIxMjYx
MTAzMDEwNzUzWjAXMRUwEwYDVQQDDAxub2RlLmV4YW1wbGUwWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAARoWlOX0ejZsveHTcHEIWJNflvSDMJHDK/KIDL95x01EEjM
exU5Q3A5BJiWGJfUOacEW8Y033jks85xqfQ9bTIYo2wwajAdBgNVHQ4EFgQU2hjI
A28FHMRiLUVxw1eN6NcYFVUwHwYDVR0jBBgwFoAU2hjIA28FHMRiLUVxw1eN6NcY
FVUwDwYDVR0TAQH/BAUwAwEB/zAXBgNVHREEEDAOggxub2RlLmV4YW1wbGUwCgYI
KoZIzj0EAwIDSAAwRQIhAJ4Ox13WxGKwtwhbTAxhISCAfGR0UyLzT71HCxtX+Vfq
AiAKsAW9sCQZO6IDOyURJTYMaiF3+RTP5u1zIb3he9ruuw==
-----END CERTIFICATE-----`,
};

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

test("a port at which nothing listens: what to check", async () => {
  const server = createPlain();
  const host = await listen(server);
  server.close();
  expect(await failureOf(`http://${host}`, [], 600)).toMatchObject({
    code: "NODE_UNREACHABLE",
    details: "ECONNREFUSED",
    metaMessages: advice("port"),
  });
});

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
  ["http on a TLS port", async () => `http://${await listen(createServer(certificate))}`, "write https://"],
  [
    "http on a TLS port, by name",
    async () => `http://localhost:${new URL(`http://${await listen(createServer(certificate))}`).port}`,
    "write https://",
  ],
  [
    "http on a port of HTTP/2 alone",
    async () => `http://${await listen(createSecureServer({ ...certificate, allowHTTP1: false }))}`,
    "write https://",
  ],
])("%s ends a read at once, with advice", async (_, start, text) => {
  const error = await failureOf(await start());
  expect(error).toMatchObject({ code: "NODE_UNREACHABLE", isTransient: false, metaMessages: advice(text) });
});

test("a connection that is closed names the size of a large request", async () => {
  const server = createSocketServer((socket) => socket.on("data", () => socket.resetAndDestroy()));
  const url = `http://${await listen(server)}`;
  expect(await failureOf(url, [], 600)).toMatchObject({
    details: expect.stringMatching(/^E|^UND/) as string,
    isTransient: true,
  });
  const large = await failureOf(`https://${new URL(url).host}`, ["x".repeat(100_000)], 600);
  expect(large).toMatchObject({ code: "NODE_UNREACHABLE", metaMessages: advice("size of requests") });
});

test("a proxy that Node does not use is named", async () => {
  vi.stubEnv("HTTPS_PROXY", "http://proxy.example:3128");
  vi.stubEnv("NODE_USE_ENV_PROXY", "");
  const error = await failureOf("https://node.invalid", [], 0);
  expect(error).toMatchObject({ code: "NODE_UNREACHABLE", metaMessages: advice("NODE_USE_ENV_PROXY=1") });
});

test.each([
  ["a web page", "text/html", "<!DOCTYPE html><title>Attention Required! | Cloudflare</title>", /firewall/],
  ["a code of Cloudflare", "text/plain", "error code: 1010", /firewall/],
  ["JSON", "application/json", '{"message":"invalid project id"}', /credentials/],
  ["nothing", "text/plain", "", /credentials/],
])("status 403 with %s", async (_, type, body, said) => {
  const agents: unknown[] = [];
  const server = createPlain((request, response) => {
    agents.push(request.headers["user-agent"]);
    response.writeHead(403, { "content-type": type }).end(body);
  });
  const error = await failureOf(`http://${await listen(server)}`);
  expect(error).toMatchObject({ code: "NODE_ERROR", shortMessage: expect.stringMatching(said) as string });
  expect(agents).toEqual([expect.stringMatching(/^vipscore\/\d+\.\d+\.\d+/)]);
});
