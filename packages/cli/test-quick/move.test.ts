import { afterAll, beforeAll, expect, test } from "vitest";
import { startVipnode, testAccounts, type CosmosNode } from "@vipscore/localnet";
import { allOutput, csvOf, openTestFolder, runCli, type TestFolder } from "../test/harness.ts";

const { deployer, operator } = testAccounts;
const deployerBech32 = "init1ch49tkg2ap8rqa3z7xutzdf4asl07pr4nx0ps6";

let node: CosmosNode;
let folder: TestFolder;
beforeAll(async () => {
  node = await startVipnode({ vm: "move" });
  folder = await openTestFolder(node);
});
afterAll(() => folder[Symbol.asyncDispose]());

test("from nothing to a finalized stage", async () => {
  const deployed = await folder.ok(["deploy", "--init-stage", "1", "--member", operator.address]);
  expect(deployed).toMatchObject({
    contract: { vm: "move", chainId: node.chainId, address: deployer.address.toLowerCase() },
    version: "1.0.0",
    initStage: "1",
    members: [deployer.address.toLowerCase(), operator.address.toLowerCase()],
    owner: deployer.address.toLowerCase(),
    pendingOwner: null,
    upgradePolicy: "compatible",
    transaction: { height: expect.stringMatching(/^\d+$/) as string },
  });
  await folder.write("scores.csv", csvOf(300));
  const dry = await folder.ok(["push", "scores.csv", "--stage", "1", "--dry-run"]);
  expect(dry).toMatchObject({ plan: { add: 300, token: { symbol: "umin" } }, transactions: [] });
  const pushed = await folder.ok(["push", "scores.csv", "--stage", "1"]);
  expect(pushed).toMatchObject({ plan: { add: 300 }, verification: { agrees: true, accounts: 300 } });
  const again = await folder.ok(["push", "scores.csv", "--stage", "1"]);
  expect(again).toMatchObject({ plan: { unchanged: 300, rowsToWrite: 0 }, transactions: [] });
  const status = await folder.ok(["status"]);
  expect(status).toMatchObject({
    stages: [{ stage: "1", isFinalized: false, accounts: 300 }],
    signer: { isMember: true },
  });
  const exported = await folder.cli(["export", "--stage", "1"]);
  expect(exported.stdout.split("\n")).toHaveLength(302);
  const finalized = await folder.ok(["finalize", "--stage", "1", "--file", "scores.csv", "--yes"]);
  expect(finalized).toMatchObject({ verification: { agrees: true } });
  const late = await folder.cli(["push", "scores.csv", "--stage", "1", "--json"]);
  expect(late.status).toBe(3);
  expect(late.json()["error"]).toMatchObject({ code: "STAGE_FINALIZED" });
});

test("a second deploy reports that everything exists", async () => {
  const again = await folder.cli(["deploy", "--init-stage", "1"]);
  expect(again.status).toBe(0);
  // The hash of a transaction.
  expect(again.stdout + again.stderr).not.toMatch(/\b[0-9a-f]{64}\b/i);
  const json = await folder.ok(["deploy", "--init-stage", "1"]);
  expect(json).toMatchObject({ transaction: null, upgradePolicy: "compatible" });
  const other = await folder.cli(["deploy", "--init-stage", "5", "--json"]);
  expect(other.json()["error"]).toMatchObject({ code: "INIT_STAGE_SET", exit: 3 });
});

test("members are added and removed, and an account that is not one may not write", async () => {
  const stranger = `0x${"5".repeat(64)}`;
  expect(await folder.ok(["members", "add", stranger])).toMatchObject({ account: stranger });
  expect((await folder.ok(["members", "list"]))["members"]).toContain(stranger);
  expect(await folder.ok(["members", "remove", stranger])).toMatchObject({ account: stranger });
  expect((await folder.ok(["members", "list"]))["members"]).not.toContain(stranger);
  expect(await folder.ok(["members", "remove", operator.address])).toMatchObject({ transaction: { hash: /./ } });
  const env = { MNEMONIC: operator.mnemonic };
  await folder.write("two.csv", csvOf(2));
  const denied = await folder.cli(["push", "two.csv", "--stage", "2", "--json"], { env });
  expect(denied.json()["error"]).toMatchObject({ code: "PERMISSION_DENIED", exit: 3 });
});

test("a mnemonic signs with either coin type", async () => {
  const signer = async (env: Record<string, string>): Promise<unknown> =>
    (await folder.ok(["status"], { env }))["signer"];
  expect(await signer({ MNEMONIC: deployer.mnemonic })).toMatchObject({ account: deployer.address.toLowerCase() });
  expect(await signer({ PRIVATE_KEY: deployer.privateKey })).toMatchObject({ account: deployer.address.toLowerCase() });
  const cosmos = await signer({ MNEMONIC: deployer.mnemonic, COIN_TYPE: "118" });
  expect(cosmos).toMatchObject({ isMember: false, balance: "1000000000000000" });
  expect(cosmos).not.toMatchObject({ account: deployer.address.toLowerCase() });
});

test.each([
  ["both keys", { MNEMONIC: deployer.mnemonic, PRIVATE_KEY: deployer.privateKey }, "KEY_INVALID"],
  ["a mnemonic with a wrong word", { MNEMONIC: deployer.mnemonic.replace("room", "zoo") }, "KEY_INVALID"],
  ["an invalid mnemonic", { MNEMONIC: "secretword ".repeat(12) }, "KEY_INVALID"],
  ["another coin type", { COIN_TYPE: "330" }, "CONFIG_INVALID"],
  ["an invalid gas price", { GAS_PRICES: "cheap" }, "CONFIG_INVALID"],
  ["another chain", { CHAIN_ID: "minimove-2" }, "CHAIN_MISMATCH"],
  ["an address without a module", { CONTRACT_ADDRESS: operator.address }, "CONTRACT_NOT_FOUND"],
])("%s: %s", async (_name, env, code) => {
  const result = await folder.cli(["status", "--json", "--debug"], { env });
  expect(result.json()["error"]).toMatchObject({ code });
  expect(result.stdout + result.stderr).not.toMatch(/secretword|fruit chalk/);
});

test("the endpoint's variable determines the VM; two variables are refused", async () => {
  const env = { REST_URL: node.restUrl, CONTRACT_ADDRESS: deployerBech32 };
  const found = await runCli(["status", "--json"], "/tmp", { env });
  expect(found.json()).toMatchObject({ contract: { vm: "move", chainId: node.chainId } });
  const two = await runCli(["status", "--json"], "/tmp", { env: { ...env, JSON_RPC_URL: "http://127.0.0.1:9" } });
  expect(two.json()["error"]).toMatchObject({ code: "CONFIG_INVALID" });
  const chosen = await runCli(["status", "--vm", "move", "--json"], "/tmp", {
    env: { ...env, JSON_RPC_URL: "http://127.0.0.1:9" },
  });
  expect(chosen.status).toBe(0);
});

test("no output shows a key", () => {
  const text = allOutput.join("\n");
  for (const { mnemonic, privateKey } of [deployer, operator]) {
    expect(text).not.toContain(mnemonic);
    expect(text).not.toContain(privateKey.slice(2));
  }
});
