import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatBech32, parseAccount } from "@vipscore/core";
import { startHardhat, startVipnode, testAccounts, type CosmosNode, type LocalNode } from "@vipscore/localnet";
import { script, stopScripts } from "@vipscore/testkit/scriptedServer";
import { runCli, type JsonObject } from "./harness.ts";

const contract = formatBech32(parseAccount(`0x${"c1".repeat(32)}`, { accountBytes: [32] }));
const dead = "http://127.0.0.1:9";

let cwd: string;
let evm: LocalNode;
let move: CosmosNode;
let wasm: CosmosNode;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "vipscore-endpoint-"));
  [evm, move, wasm] = await Promise.all([startHardhat(), startVipnode({ vm: "move" }), startVipnode({ vm: "wasm" })]);
});
afterAll(async () => {
  await stopScripts();
  await Promise.all([evm.stop(), move.stop(), wasm.stop()]);
  await rm(cwd, { recursive: true, force: true });
});

/** The error of `status` in a folder without a recorded contract. */
async function statusOf(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<JsonObject & { readonly text: string }> {
  const result = await runCli(["status", ...args, "--json"], cwd, { env });
  return { ...(result.json()["error"] as JsonObject), text: result.stdout + result.stderr };
}

/** The error of a command that has reached a chain but knows no contract on it. */
const reached = ({ chainId }: LocalNode) => ({
  code: "CONFIG_INVALID",
  message: `no contract is known for chain ${chainId}`,
});

const urls = {
  evm: () => evm.rpcUrl,
  move: () => move.restUrl,
  wasm: () => wasm.rpcUrl,
  "move RPC": () => move.rpcUrl,
  "wasm REST": () => wasm.restUrl,
} as const;
const nodes = { evm: () => evm, move: () => move, wasm: () => wasm } as const;
const rollups = ["evm", "move", "wasm"] as const;

describe.each(rollups)("a rollup on %s is found by asking its endpoint", (vm) => {
  test("that the flag names", async () => {
    expect(await statusOf(["--endpoint", urls[vm]()])).toMatchObject(reached(nodes[vm]()));
  });

  test("that VIPSCORE_ENDPOINT names", async () => {
    expect(await statusOf([], { VIPSCORE_ENDPOINT: `${urls[vm]()}/` })).toMatchObject(reached(nodes[vm]()));
  });

  test("that the settings file names", async () => {
    await writeFile(join(cwd, "named.json"), JSON.stringify({ endpoint: urls[vm]() }));
    expect(await statusOf(["--config", "named.json"])).toMatchObject(reached(nodes[vm]()));
  });
});

test("a deployment on a bare endpoint", async () => {
  for (const vm of rollups) {
    const args = ["deploy", "--init-stage", "1", "--endpoint", urls[vm](), "--json"];
    const deployed = await runCli(args, cwd, { env: { MNEMONIC: testAccounts.deployer.mnemonic } });
    expect(deployed.json()).toMatchObject({ contract: { vm, chainId: nodes[vm]().chainId } });
  }
  await rm(join(cwd, ".vipscore"), { recursive: true });
});

test.each([
  ["wasm REST", "is the REST endpoint of a Wasm rollup; its RPC endpoint is needed"],
  ["move RPC", "is the RPC endpoint of a Move rollup; its REST endpoint is needed"],
] as const)("%s: the error names the endpoint that is needed", async (kind, message) => {
  const found = await statusOf(["--endpoint", urls[kind]()]);
  expect(found).toMatchObject({ code: "CONFIG_INVALID", exit: 2, message: `--endpoint: ${urls[kind]()} ${message}` });
  const ofVariable = await statusOf([], { VIPSCORE_ENDPOINT: urls[kind]() });
  expect(ofVariable["message"]).toBe(`VIPSCORE_ENDPOINT: ${urls[kind]()} ${message}`);
});

test("a wrong VM setting: the error names the endpoint's kind and the source of the VM", async () => {
  const asMove = await statusOf(["--endpoint", evm.rpcUrl, "--vm", "move"]);
  expect(asMove).toMatchObject({
    code: "CONFIG_INVALID",
    message: `${evm.rpcUrl} is the JSON-RPC endpoint of an EVM rollup, not the REST endpoint of Move`,
    hints: ["The URL comes from --endpoint, its VM from --vm."],
  });
  const asEvm = await statusOf([], { JSON_RPC_URL: wasm.restUrl });
  expect(asEvm).toMatchObject({
    message: `${wasm.restUrl} is the REST endpoint of a Wasm rollup, not the JSON-RPC endpoint of EVM`,
    hints: ["The URL comes from JSON_RPC_URL, its VM from JSON_RPC_URL."],
  });
  await writeFile(join(cwd, "wrong.json"), JSON.stringify({ vm: "wasm", endpoint: move.rpcUrl, contract }));
  expect(await statusOf(["--config", "wrong.json"])).toMatchObject({
    message: `${move.rpcUrl} is the RPC endpoint of a Move rollup, not the RPC endpoint of Wasm`,
  });
});

test("contradicting variables are refused, and both are named; the flag overrides all", async () => {
  const two = { VIPSCORE_ENDPOINT: evm.rpcUrl, REST_URL: move.restUrl };
  expect(await statusOf([], two)).toMatchObject({
    code: "CONFIG_INVALID",
    message: "VIPSCORE_ENDPOINT and REST_URL name two different endpoints",
  });
  expect(await statusOf([], { JSON_RPC_URL: evm.rpcUrl, RPC_NODE_URL: wasm.rpcUrl })).toMatchObject({
    code: "CONFIG_INVALID",
    message: "JSON_RPC_URL and RPC_NODE_URL name the endpoints of two VMs",
  });
  expect(await statusOf(["--vm", "wasm"], { JSON_RPC_URL: dead, RPC_NODE_URL: wasm.rpcUrl })).toMatchObject(
    reached(wasm),
  );
  expect(await statusOf([], { VIPSCORE_ENDPOINT: move.restUrl, REST_URL: `${move.restUrl}/` })).toMatchObject(
    reached(move),
  );
  expect(await statusOf(["--endpoint", wasm.rpcUrl], two)).toMatchObject(reached(wasm));
  await writeFile(join(cwd, "evm.json"), JSON.stringify({ endpoint: evm.rpcUrl }));
  expect(await statusOf(["--config", "evm.json"], { REST_URL: move.restUrl })).toMatchObject(reached(move));
});

test("an endpoint that never answers is named within seconds, without its credentials", async () => {
  const { url, requests } = await script(() => ({ instead: "silence" }));
  const endpoint = `${url.replace("//", "//me:secret-word@")}/v1/secret-token-0123456789`;
  const found = await statusOf(["--endpoint", endpoint]);
  expect(found).toMatchObject({
    code: "NODE_UNREACHABLE",
    exit: 4,
    message: `${url}/v1/… does not answer: silent for 5 s`,
  });
  expect(found.text).not.toMatch(/secret-/);
  // One request of each protocol, all in parallel.
  expect(requests).toHaveLength(3);
});

test("retries an endpoint whose first answer is invalid", async () => {
  let requests = 0;
  const { url } = await script(async ({ body }) => {
    requests += 1;
    if (requests <= 3) return { status: 503, body: "busy" };
    if (requests <= 6) return { body: "<html>maintenance</html>" };
    const response = await fetch(evm.rpcUrl, { method: "POST", body });
    return { status: response.status, body: await response.text() };
  });
  expect(await statusOf(["--endpoint", url])).toMatchObject(reached(evm));
});

test.each([
  ["a web page", () => ({ body: "<!doctype html>secret-word" }), "NODE_BAD_RESPONSE"],
  ["another service", () => ({ body: { jsonrpc: "2.0", secret: "secret-word" } }), "NODE_BAD_RESPONSE"],
  ["a denial", () => ({ status: 401, body: "secret-word" }), "NODE_ERROR"],
  ["a redirect", () => ({ status: 302, body: "", headers: { location: "https://192.0.2.1/" } }), "NODE_REDIRECTED"],
] as const)("%s: %s", async (_, answer, code) => {
  const { url } = await script(answer);
  const found = await statusOf(["--endpoint", url.replace("//", "//me:secret-word@"), "--debug"]);
  expect(found).toMatchObject({ code, exit: 4 });
  expect(found.text).not.toContain("secret-word");
});

test("the indexer follows a bare endpoint, and names the protocol that it needs", async () => {
  const refused = await runCli(["indexer", "--endpoint", move.restUrl, "--json"], cwd);
  expect(refused.json()["error"]).toMatchObject({
    code: "CONFIG_INVALID",
    message: `--endpoint: ${move.restUrl} is the REST endpoint of a Move rollup; its RPC endpoint is needed`,
  });
  for (const node of [evm, move, wasm]) {
    const stopping = new AbortController();
    const args = [
      "indexer",
      "--endpoint",
      node.rpcUrl,
      "--port",
      "0",
      "--database",
      `${node.chainId}.sqlite`,
      "--json",
    ];
    const result = await runCli(args, cwd, {
      signal: stopping.signal,
      onError: (text) => {
        if (text.includes("the NFT indexer API is at")) stopping.abort();
      },
    });
    expect(result.json()).toMatchObject({ command: "indexer", chainId: node.chainId });
  }
});
