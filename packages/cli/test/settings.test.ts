import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { testAccounts } from "@vipscore/localnet";
import { started } from "@vipscore/testkit/started";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { runCli, startTestChain, type JsonObject } from "./harness.ts";

const chain = started(() => startTestChain());
let first: string;
let second: string;
const cwd = temporaryFolder();

beforeAll(async () => {
  first = await chain.deploy(1);
  second = await chain.deploy(2);
});

async function config(value: unknown, name = "vipscore.config.json"): Promise<void> {
  await writeFile(join(cwd, name), typeof value === "string" ? value : JSON.stringify(value));
}

test("flag, then environment, then settings file, then recorded deployment", async () => {
  const { rpcUrl } = chain.node;
  const dead = "http://127.0.0.1:9";
  const initStage = async (args: readonly string[], env: Record<string, string>) => {
    const result = await runCli(["status", ...args, "--json"], cwd, { env });
    return result.status === 0 ? result.json()["initStage"] : result.json()["error"];
  };
  await config({ endpoint: dead, contract: second, chainId: 1 });
  const env = { JSON_RPC_URL: rpcUrl, CONTRACT_ADDRESS: first, CHAIN_ID: "31337" };
  expect(await initStage([], env)).toBe("1");
  expect(await initStage(["--contract", second], env)).toBe("2");
  expect(await initStage(["--endpoint", dead], env)).toMatchObject({ code: "NODE_UNREACHABLE" });
  expect(await initStage(["--chain-id", "5"], env)).toMatchObject({ code: "CHAIN_MISMATCH" });
  await config({ vm: "evm", endpoint: rpcUrl, contract: second, chainId: "31337" });
  expect(await initStage([], {})).toBe("2");
  expect(await initStage([], { CONTRACT_ADDRESS: first, JSON_RPC_URL: "" })).toBe("1");
  await config({ endpoint: rpcUrl, contract: first }, "other.json");
  expect(await initStage(["--config", "other.json"], {})).toBe("1");
  expect((await chain.ok(["status"]))["initStage"]).toBe("2");
  await config({ endpoint: rpcUrl });
  expect(await initStage([], {})).toMatchObject({ code: "CONFIG_INVALID" });
});

test("without an endpoint, names the folder in which a local node runs", async () => {
  const inside = join(chain.cwd, "inside");
  await mkdir(inside);
  for (const [folder, isNamed] of [
    [inside, true],
    ["/", false],
  ] as const) {
    const { status, stderr } = await runCli(["status"], folder, { env: {} });
    expect({ status, folder, isNamed: stderr.includes(`${chain.cwd}:`) }).toEqual({ status: 2, folder, isNamed });
  }
});

test("a page that a report links to is http or https, with no user's name", async () => {
  const statusOf = async (snapshotUrl: string) => {
    await config({ endpoint: chain.node.rpcUrl, contract: second, snapshotUrl });
    return (await runCli(["status", "--json"], cwd, { env: {} })).status;
  };
  expect(await statusOf(`https://scan.example/txs/${"AB".repeat(32)}?tab=events`)).toBe(0);
  for (const url of [
    "javascript:alert(1)",
    "https://ann:secret@scan.example",
    "scan.example",
    "https://scan.example/a b",
  ])
    expect({ url, status: await statusOf(url) }).toEqual({ url, status: 2 });
});

test("prints the source of each value, unless a flag set it", async () => {
  const recorded = await chain.cli(["status"]);
  expect(recorded.stderr).toContain(`contract  ${second}  (.vipscore/deployments.json)`);
  expect(recorded.stderr).toContain(`endpoint  ${chain.node.rpcUrl}  (.vipscore/node.json)`);
  expect(recorded.stderr).toContain(`signer    ${testAccounts.deployer.address}  (`);
  const byFlags = await chain.cli(["status", "--contract", first, "--endpoint", chain.node.rpcUrl], {
    env: { PRIVATE_KEY: testAccounts.operator.privateKey },
  });
  expect(byFlags.stderr).toBe(`signer    ${testAccounts.operator.address}  (PRIVATE_KEY)\n`);
});

test("a deployment names the contract whose place it takes in the folder, one that changes nothing does not", async () => {
  const { stderr } = await chain.cli(["deploy", "--init-stage", "3"]);
  expect(stderr).toMatch(new RegExp(`\\b${second} on chain 31337\\b.*--contract\\b`));
  expect((await chain.cli(["deploy", "--init-stage", "3"])).stderr).not.toContain("--contract");
});

test("a deployment warns of a setting that still names another contract", async () => {
  const { stderr } = await chain.cli(["deploy", "--init-stage", "4"], { env: { CONTRACT_ADDRESS: first } });
  expect(stderr).toMatch(new RegExp(`^warning.*\\bCONTRACT_ADDRESS\\b.*\\b${first}\\b`, "m"));
  expect(stderr).not.toContain("--contract");
});

test("a recorded contract that no longer exists: the message names the record", async () => {
  const folder = join(cwd, ".vipscore");
  await mkdir(folder, { recursive: true });
  const record = { "evm:31337": { address: testAccounts.operator.address, txHash: "0x00" } };
  await writeFile(join(folder, "deployments.json"), JSON.stringify(record));
  await rm(join(cwd, "vipscore.config.json"), { force: true });
  const lost = await runCli(["status", "--json"], cwd, { env: { JSON_RPC_URL: chain.node.rpcUrl } });
  expect(lost.json()["error"]).toMatchObject({ code: "CONTRACT_NOT_FOUND" });
  expect(lost.stderr).toContain(".vipscore/deployments.json");
  await writeFile(join(folder, "deployments.json"), "{");
  const damaged = await runCli(["status", "--json"], cwd, { env: { JSON_RPC_URL: chain.node.rpcUrl } });
  expect(damaged.json()["error"]).toMatchObject({ code: "CONFIG_INVALID" });
});

test.each([
  ["an unknown key", { rpcURL: "x" }, ["rpcURL"], "gasPrices"],
  ["a secret", { privateKey: "0xdeadbeef" }, ["privateKey"], "PRIVATE_KEY"],
  ["a mnemonic", { mnemonic: "deadbeef word" }, ["mnemonic"], "--keystore"],
  ["no JSON", '{"privateKey": "deadbeef', ["JSON"], "gasPrices"],
  ["a list", [], ["object"], ""],
  ["a text", '"deadbeef"', ["object"], ""],
  ["a wrong type", { endpoint: 5 }, ["endpoint"], ""],
  ["a wrong chain id", { vm: "evm", endpoint: "http://127.0.0.1:9", chainId: "minievm" }, ['"minievm"'], ""],
  ["another VM", { endpoint: "http://127.0.0.1:9", vm: "solana" }, ['"solana"'], "evm, move, wasm"],
])("settings file with %s: CONFIG_INVALID, the value is not shown", async (_name, value, named, hint) => {
  await config(value);
  const result = await runCli(["status", "--json"], cwd);
  const { message, hints, ...error } = result.json()["error"] as JsonObject;
  expect(error).toEqual({ code: "CONFIG_INVALID", exit: 2 });
  for (const part of ["vipscore.config.json", ...named]) expect(message).toContain(part);
  expect((hints as readonly string[]).join("\n")).toContain(hint);
  expect(result.stdout + result.stderr).not.toContain("deadbeef");
});

test("a missing settings file given with --config: FILE_UNREADABLE", async () => {
  const result = await runCli(["status", "--config", "nowhere.json", "--json"], cwd);
  expect(result.json()["error"]).toMatchObject({ code: "FILE_UNREADABLE", exit: 2 });
});
