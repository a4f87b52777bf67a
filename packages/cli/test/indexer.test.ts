import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readNodeFile } from "@vipscore/core/nodeFile";
import { freePort } from "@vipscore/testkit/freePort";
import { started } from "@vipscore/testkit/started";
import { until } from "@vipscore/testkit/until";
import { runCli, startTestChain, type CliOptions, type CliResult } from "./harness.ts";

const chain = started(() => startTestChain());

async function status(url: string): Promise<unknown> {
  const answer = await until(`an answer at ${url}`, () => fetch(`${url}/status`).catch(() => undefined));
  return answer.json();
}

/** Runs `vipscore indexer` on a port while `work` is done, then ends it as Ctrl-C would. */
async function serving(
  args: readonly string[],
  options: CliOptions,
  work: (url: string) => Promise<void>,
): Promise<CliResult> {
  const stopping = new AbortController();
  const port = await freePort();
  const running = runCli(["indexer", "--port", String(port), "--json", ...args], chain.cwd, {
    ...options,
    signal: stopping.signal,
  });
  try {
    await Promise.race([work(`http://127.0.0.1:${port}`), running]);
  } finally {
    stopping.abort();
  }
  return running;
}

test("an indexer follows the local node until Ctrl-C, and keeps its index", async () => {
  await chain.rpc("evm_mine");
  const result = await serving(["--cors-origin", "http://localhost:5173", "https://app.example"], {}, async (url) => {
    expect(await status(url)).toMatchObject({ chain_id: "31337" });
    const answer = await fetch(`${url}/status`, { headers: { origin: "https://app.example" } });
    expect(answer.headers.get("access-control-allow-origin")).toBe("https://app.example");
  });
  expect(result.status).toBe(0);
  expect(result.json()).toMatchObject({ command: "indexer", chainId: "31337", database: ".vipscore/nfts.sqlite" });
  expect(result.stderr).toContain(`${chain.node.rpcUrl}  (.vipscore/node.json)`);
  expect(existsSync(join(chain.cwd, ".vipscore", "nfts.sqlite"))).toBe(true);
});

test("follows a Move rollup over its node's RPC, and distinguishes it from an EVM rollup's", async () => {
  const result = await runCli(["indexer", "--json"], chain.cwd, { env: { RPC_NODE_URL: "http://127.0.0.1:9" } });
  expect(result.json()).toMatchObject({ error: { code: "NODE_UNREACHABLE" } });
  const both = await runCli(["indexer", "--json"], chain.cwd, {
    env: { JSON_RPC_URL: "http://127.0.0.1:9", RPC_NODE_URL: "http://127.0.0.1:9" },
  });
  expect(both.json()).toMatchObject({ error: { code: "CONFIG_INVALID" } });
});

test.each([
  ["a database's URL as an argument", ["--database", "postgres://me:secret-word@127.0.0.1:9/nfts"], {}],
  ["another kind of database", [], { DATABASE_URL: "mysql://me:secret-word@127.0.0.1:9/nfts" }],
  ["a port", ["--port", "70000"], {}],
  ["a height", ["--start-height", "0"], {}],
  ["a lag", ["--max-lag", "-1"], {}],
  ["an origin with a path", ["--cors-origin", "https://app.example/"], {}],
  ["an origin without a scheme", ["--cors-origin", "*", "localhost:5173"], {}],
  ["both halves", ["--api-only", "--follow-only"], {}],
  ["an endpoint that nothing follows", ["--api-only", "--endpoint", "http://127.0.0.1:9"], {}],
  ["an address of another machine", ["--host", "192.0.2.1"], {}],
])("%s is refused", async (_, args, env) => {
  const result = await runCli(["indexer", "--json", ...args], chain.cwd, { env });
  expect(result.status).toBe(2);
  expect(result.stdout + result.stderr).not.toContain("secret-word");
});

test("a database that does not answer is an error without its password", async () => {
  const env = { DATABASE_URL: "postgres://me:secret-word@127.0.0.1:9/nfts" };
  const result = await runCli(["indexer", "--json", "--port", "0"], chain.cwd, { env });
  expect(result.json()).toMatchObject({ error: { code: "DATABASE_UNREACHABLE", exit: 4 } });
  expect(result.stdout + result.stderr).not.toContain("secret-word");
});

test("a folder without a chain: the error says what to do", async () => {
  const result = await runCli(["indexer", "--json"], join(chain.cwd, ".vipscore"));
  expect(result.json()).toMatchObject({ error: { code: "CONFIG_INVALID" } });
  expect(result.stderr).toContain("vipscore node --indexer");
});

test("node --indexer serves the API with the node, and other commands find it", async () => {
  const cwd = join(chain.cwd, ".vipscore");
  const stopping = new AbortController();
  const running = runCli(["node", "--port", "0", "--indexer", "0", "--json"], cwd, { signal: stopping.signal });
  try {
    const url = await until("the indexer's URL", async () => (await readNodeFile(cwd))?.indexerUrl);
    expect(await status(url)).toMatchObject({ chain_id: "31337" });
    stopping.abort();
    const result = await running;
    expect(result.status).toBe(0);
    expect(result.json()).toMatchObject({ command: "node", indexerUrl: url });
    await expect(fetch(`${url}/status`)).rejects.toThrow();
  } finally {
    stopping.abort();
    await running;
  }
});
