import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApi, openStore, serveApi } from "@vipscore/indexer";
import { sendTo } from "../src/sendTo.ts";
import { generateChain, loadChain } from "./generatedChain.ts";

const command = fileURLToPath(new URL("../src/compare.ts", import.meta.url));
const store = await openStore(":memory:");
let server: Awaited<ReturnType<typeof serveApi>>;
let faulty: Server;

beforeAll(async () => {
  await loadChain(store, generateChain(1));
  server = await serveApi({ api: createApi({ store }), host: "127.0.0.1", port: 0 });
  faulty = createServer((request, response) => void answerWrongly(request, response));
  faulty.listen(0, "127.0.0.1");
  await once(faulty, "listening");
});

afterAll(async () => {
  faulty.close();
  await server.close();
  await store.close();
});

test("a server that follows the rules: exit status 0, and no credentials printed", async () => {
  const url = new URL(server.url);
  url.username = "someone";
  url.password = "a-secret";
  url.search = "key=another-secret";
  const { status, output } = await compare("--url", url.href, "--seed", "7", "--requests", "400");
  expect(output).toMatch(/^seed 7 /);
  expect(output).toMatch(/\nall +\d+ +0\n/);
  expect(output).not.toMatch(/secret|someone/);
  expect(status).toBe(0);
});

test("a server that breaks a rule: exit status 1, and the difference", async () => {
  const { port } = faulty.address() as AddressInfo;
  const { status, output } = await compare("--url", `http://127.0.0.1:${port}/a-secret-path`);
  expect(output).not.toContain("a-secret-path");
  expect(output).toMatch(/expected: previous_key \S+ expected/);
  expect(status).toBe(1);
});

test("unusable arguments or servers: exit status 2", async () => {
  expect(await compare()).toMatchObject({ status: 2 });
  expect(await compare("--url", "ftp://127.0.0.1")).toMatchObject({ status: 2 });
  expect(await compare("--url", server.url, "--seed", "x")).toMatchObject({ status: 2 });
  expect(await compare("--url", "http://127.0.0.1:9")).toMatchObject({ status: 2 });
});

/** Forwards the correct server's answers, but omits the previous page's key and repeats the path of a request. */
async function answerWrongly(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path = "", query = ""] = (request.url ?? "").split("?");
  const { status, contentType, body } = await sendTo(server.url)({ path: path.replace(/^\/a-secret-path/, ""), query });
  response.writeHead(status, { "content-type": contentType });
  response.end(
    body.replace(/"previous_key":"[^"]*"/, '"previous_key":null').replace("Cannot GET", `Cannot GET ${path}`),
  );
}

async function compare(...args: readonly string[]): Promise<{ readonly status: unknown; readonly output: string }> {
  const child = spawn(process.execPath, ["--conditions=@vipscore/source", command, ...args]);
  const [output, errors, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number | null]>,
  ]);
  return { status, output: output + errors };
}
