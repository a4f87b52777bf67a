import { afterAll, beforeAll, expect, test } from "vitest";
import { startVipnode, testAccounts, type CosmosNode } from "@vipscore/localnet";
import { allOutput, csvOf, openTestFolder, runCli, type JsonObject, type TestFolder } from "../test/harness.ts";

const { deployer, operator } = testAccounts;
const contractAddress = /^init1[0-9a-z]{58}$/;

let node: CosmosNode;
let folder: TestFolder;
beforeAll(async () => {
  node = await startVipnode({ vm: "wasm" });
  folder = await openTestFolder(node);
});
afterAll(() => folder[Symbol.asyncDispose]());

test("from nothing to a finalized stage", async () => {
  const deployed = await folder.ok(["deploy", "--init-stage", "1", "--member", operator.address]);
  expect(deployed).toMatchObject({
    contract: { vm: "wasm", chainId: node.chainId, address: expect.stringMatching(contractAddress) as string },
    version: "1.0.0",
    initStage: "1",
    owner: deployer.address.toLowerCase(),
    pendingOwner: null,
    admin: deployer.address.toLowerCase(),
    codeId: "1",
    transaction: { height: expect.stringMatching(/^\d+$/) as string },
  });
  const members = [deployer, operator].map(({ address }) => address.toLowerCase());
  expect([...(deployed["members"] as readonly string[])].sort()).toEqual(members.sort());
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

test("a second deploy creates a new contract of the same code, with the given admin and label", async () => {
  const first = contractOf(await folder.ok(["status"]));
  const label = "scores of minitia-1";
  const args = ["deploy", "--init-stage", "5", "--admin", "none", "--label", label];
  const deployed = await folder.cli([...args, "--json"]);
  expect(deployed.status).toBe(0);
  expect(deployed.json()).toMatchObject({ initStage: "5", admin: "none", codeId: "1" });
  const second = contractOf(deployed.json());
  expect(second).not.toBe(first);
  const answer = await fetch(`${node.restUrl}/cosmwasm/wasm/v1/contract/${second}`);
  expect(await answer.json()).toMatchObject({ contract_info: { admin: "", label } });
  expect(contractOf(await folder.ok(["status"]))).toBe(second);
});

test("members are added and removed, and an account that is not one may not write", async () => {
  const stranger = `0x${"5".repeat(64)}`;
  expect(await folder.ok(["members", "add", stranger])).toMatchObject({ account: stranger });
  expect((await folder.ok(["members", "list"]))["members"]).toContain(stranger);
  expect(await folder.ok(["members", "remove", stranger])).toMatchObject({ account: stranger });
  expect((await folder.ok(["members", "list"]))["members"]).not.toContain(stranger);
  const last = await folder.cli(["members", "remove", deployer.address, "--json"]);
  expect(last.json()["error"]).toMatchObject({ code: "LAST_MEMBER", exit: 3 });
  await folder.write("two.csv", csvOf(2));
  const env = { MNEMONIC: operator.mnemonic };
  const denied = await folder.cli(["push", "two.csv", "--stage", "5", "--json"], { env });
  expect(denied.json()["error"]).toMatchObject({ code: "PERMISSION_DENIED", exit: 3 });
});

test("an upgrade finds the existing code, and refuses a contract without an admin", async () => {
  const upgraded = await folder.ok(["deploy", "--init-stage", "5", "--upgrade"]);
  expect(upgraded).toMatchObject({ initStage: "5", admin: "none", transaction: null });
  const other = await folder.cli(["deploy", "--init-stage", "6", "--upgrade", "--json"]);
  expect(other.json()["error"]).toMatchObject({ code: "INIT_STAGE_SET", exit: 3 });
  const named = await folder.cli(["deploy", "--init-stage", "5", "--upgrade", "--label", "other", "--json"]);
  expect(named.json()["error"]).toMatchObject({ code: "INPUT_INVALID", exit: 2 });
});

test.each([
  ["--upgrade-policy=immutable", ["--upgrade-policy", "Move", "Wasm"]],
  ["--contract=init1", ["--contract", "--upgrade"]],
])("deploy %s is refused", async (flag, named) => {
  const refused = await folder.cli(["deploy", "--init-stage", "1", flag, "--json"]);
  const error = refused.json()["error"] as JsonObject;
  expect(error).toMatchObject({ code: "INPUT_INVALID", exit: 2 });
  for (const value of named) expect(error["message"]).toContain(value);
});

test.each([
  ["another chain", { CHAIN_ID: "miniwasm-2" }, "CHAIN_MISMATCH"],
  ["an address without a contract", { CONTRACT_ADDRESS: operator.address }, "CONTRACT_NOT_FOUND"],
  ["an invalid gas price", { GAS_PRICES: "cheap" }, "CONFIG_INVALID"],
  ["a mnemonic with a wrong word", { MNEMONIC: deployer.mnemonic.replace("room", "zoo") }, "KEY_INVALID"],
])("%s: %s", async (_name, env, code) => {
  const result = await folder.cli(["status", "--json", "--debug"], { env });
  expect(result.json()["error"]).toMatchObject({ code });
  expect(result.stdout + result.stderr).not.toMatch(/fruit chalk/);
});

test("a rollup set by RPC_NODE_URL is a Wasm rollup", async () => {
  const CONTRACT_ADDRESS = contractOf(await folder.ok(["status"]));
  const found = await runCli(["status", "--json"], "/tmp", { env: { RPC_NODE_URL: node.rpcUrl, CONTRACT_ADDRESS } });
  expect(found.json()).toMatchObject({ contract: { vm: "wasm", chainId: node.chainId } });
});

test("no output shows a key", () => {
  const text = allOutput.join("\n");
  for (const { mnemonic, privateKey } of [deployer, operator]) {
    expect(text).not.toContain(mnemonic);
    expect(text).not.toContain(privateKey.slice(2));
  }
});

function contractOf(answer: JsonObject): string {
  const { address } = answer["contract"] as { readonly address: string };
  return address;
}
