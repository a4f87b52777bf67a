import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatBech32, parseAccount } from "@vipscore/core";
import { startHardhat, startVipnode, testAccounts, type CosmosNode, type LocalNode } from "@vipscore/localnet";
import { script } from "@vipscore/testkit/scriptedServer";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { identifyEndpoint } from "../src/rollup/endpoint.ts";
import { runCli, type JsonObject } from "./harness.ts";

const contract = formatBech32(parseAccount(`0x${"c1".repeat(32)}`, { accountBytes: [32] }));
const dead = "http://127.0.0.1:9";

const cwd = temporaryFolder();
let evm: LocalNode;
let move: CosmosNode;
let wasm: CosmosNode;

beforeAll(async () => {
  [evm, move, wasm] = await Promise.all([startHardhat(), startVipnode({ vm: "move" }), startVipnode({ vm: "wasm" })]);
});
afterAll(() => Promise.all([evm.stop(), move.stop(), wasm.stop()]));

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
  message: expect.stringMatching(new RegExp(`\\b${chainId}$`)) as string,
});

/** The error of a command that found another kind of endpoint, which names all of `values`. */
const naming = (...values: readonly string[]) => ({
  code: "CONFIG_INVALID",
  exit: 2,
  message: expect.toSatisfy((text: string) => values.every((value) => text.includes(value))) as string,
});

const urls = {
  evm: () => evm.rpcUrl,
  move: () => move.restUrl,
  wasm: () => wasm.rpcUrl,
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

test("a Wasm rollup's REST endpoint: the error names the endpoint that is needed", async () => {
  const found = await statusOf(["--endpoint", wasm.restUrl]);
  const needed = { hints: [expect.stringContaining("26657") as string] };
  expect(found).toMatchObject({ ...naming("--endpoint", wasm.restUrl, "Wasm", "REST", "RPC"), ...needed });
  const ofVariable = await statusOf([], { VIPSCORE_ENDPOINT: wasm.restUrl });
  expect(ofVariable).toMatchObject({ ...naming("VIPSCORE_ENDPOINT", wasm.restUrl, "Wasm", "REST", "RPC"), ...needed });
});

test.each(["restUrl", "rpcUrl"] as const)("a Move rollup's %s serves with and without its VM", async (url) => {
  for (const args of [[], ["--vm", "move"]]) {
    expect(await statusOf(["--endpoint", move[url], ...args])).toMatchObject(reached(move));
  }
});

test("a wrong VM setting: the error names the endpoint's kind and the source of the VM", async () => {
  const asMove = await statusOf(["--endpoint", evm.rpcUrl, "--vm", "move"]);
  expect(asMove).toMatchObject({
    ...naming(evm.rpcUrl, "JSON-RPC", "EVM", "RPC", "Move"),
    hints: [expect.stringMatching(/--endpoint\b.*--vm\b/)],
  });
  const asEvm = await statusOf([], { JSON_RPC_URL: wasm.restUrl });
  expect(asEvm).toMatchObject({
    ...naming(wasm.restUrl, "REST", "Wasm", "JSON-RPC", "EVM"),
    hints: [expect.stringMatching(/\bJSON_RPC_URL\b.*\bJSON_RPC_URL\b/)],
  });
  await writeFile(join(cwd, "wrong.json"), JSON.stringify({ vm: "wasm", endpoint: move.rpcUrl, contract }));
  expect(await statusOf(["--config", "wrong.json"])).toMatchObject({
    ...naming(move.rpcUrl, "RPC", "Move", "Wasm"),
    hints: [expect.stringContaining("wrong.json")],
  });
});

test("contradicting variables are refused, and both are named; the flag overrides all", async () => {
  const two = { VIPSCORE_ENDPOINT: evm.rpcUrl, REST_URL: move.restUrl };
  expect(await statusOf([], two)).toMatchObject(naming("VIPSCORE_ENDPOINT", "REST_URL"));
  expect(await statusOf([], { JSON_RPC_URL: evm.rpcUrl, RPC_NODE_URL: wasm.rpcUrl })).toMatchObject(
    naming("JSON_RPC_URL", "RPC_NODE_URL"),
  );
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

test("an endpoint that is silent at first is asked again, and named without its credentials", async () => {
  let requests = 0;
  const { url } = await script(async ({ body }) => {
    requests += 1;
    // One request of each protocol, all in parallel.
    if (requests <= 3) return { instead: "silence" };
    const response = await fetch(evm.rpcUrl, { method: "POST", body });
    return { status: response.status, body: await response.text() };
  });
  const endpoint = `${url.replace("//", "//me:secret-word@")}/v1/secret-token-0123456789`;
  const found = await statusOf(["--endpoint", endpoint]);
  expect(found).toMatchObject(reached(evm));
  expect(found.text).toContain(`${url}/…`);
  expect(found.text).toContain("--vm");
  expect(found.text).not.toMatch(/secret-/);
});

test("an endpoint that stays silent is asked repeatedly, then reported without its credentials", async () => {
  const { url, requests } = await script(() => ({ instead: "silence" }));
  const endpoint = `${url.replace("//", "//me:secret-word@")}/v1/secret-token-0123456789`;
  const { signal } = new AbortController();
  const silent: string[] = [];
  const onSilence = (shown: string) => void silent.push(shown);
  const error: unknown = await identifyEndpoint(endpoint, { signal, patienceMs: 600, onSilence }).catch(
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ code: "NODE_UNREACHABLE" });
  expect(silent).toEqual([`${url}/…`]);
  expect(String(error)).toContain(`${url}/…`);
  expect(String(error)).not.toMatch(/secret-/);
  expect(requests.length).toBeGreaterThan(3);
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
    ...naming("--endpoint", move.restUrl, "Move", "REST", "RPC"),
    hints: [expect.stringContaining("26657")],
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
        // The URL of the API, which is printed once it answers.
        if (text.includes("http://") && !text.includes(node.rpcUrl)) stopping.abort();
      },
    });
    expect(result.json()).toMatchObject({ command: "indexer", chainId: node.chainId });
  }
});
