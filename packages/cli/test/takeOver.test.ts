import { readFile } from "node:fs/promises";
import { createWalletClient, encodeAbiParameters, getAddress, http, publicActions, type Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testAccounts } from "@vipscore/localnet";
import { csvOf, startTestChain, type TestChain } from "./harness.ts";

const deployer = testAccounts.deployer.address.toLowerCase();
const operator = testAccounts.operator.address.toLowerCase();

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
  await chain.write("one.csv", csvOf(40));
  await chain.write("two.csv", csvOf(60, 5));
});
afterAll(() => chain[Symbol.asyncDispose]());

/** Deploys an older contract from the test data of the EVM package. Its first stage is 1. */
async function deployOlder(name: string): Promise<string> {
  const file = new URL(`../../evm/test/data/${name}.json`, import.meta.url);
  const { bytecode } = JSON.parse(await readFile(file, "utf8")) as { readonly bytecode: Hex };
  const account = privateKeyToAccount(testAccounts.deployer.privateKey);
  const client = createWalletClient({ account, transport: http(chain.node.rpcUrl) }).extend(publicActions);
  const first = encodeAbiParameters([{ type: "uint64" }], [1n]);
  const hash = await client.sendTransaction({ data: `${bytecode}${first.slice(2)}`, chain: null });
  const { contractAddress } = await client.waitForTransactionReceipt({ hash, pollingInterval: 50 });
  if (contractAddress === null || contractAddress === undefined) throw new Error("the contract was not deployed");
  return getAddress(contractAddress);
}

test("deploy --from takes over the open stage and the members of an older contract, and warns of what stays", async () => {
  const old = await deployOlder("vipScore-1.0.0");
  const on = ["--contract", old];
  await chain.ok(["members", "add", operator, ...on]);
  await chain.ok(["push", "one.csv", "--stage", "1", ...on]);
  const finalized = await chain.cli(["finalize", "--stage", "1", "--file", "one.csv", "--yes", ...on]);
  expect(finalized).toMatchObject({ status: 0, stderr: expect.stringMatching(/^warning /m) as string });
  await chain.ok(["push", "two.csv", "--stage", "2", ...on]);

  const taken = await chain.ok(["deploy", "--from", old, "--finalizer", operator]);
  expect(taken).toMatchObject({
    version: "2.0.0",
    initStage: "2",
    members: [deployer, operator],
    finalizer: operator,
    from: { contract: { address: old }, isOutdated: false, verification: { agrees: true, accounts: 60 } },
  });
  expect(await chain.ok(["verify", "two.csv", "--stage", "2"])).toMatchObject({ verification: { agrees: true } });
  expect(await chain.ok(["status", ...on])).toMatchObject({ version: "1.0.0", stages: [{}, { isFinalized: false }] });

  const { stderr } = await chain.cli(["deploy", "--from", old]);
  // Finalized stages stay there, and L1 still reads it.
  expect(stderr).toMatch(new RegExp(`^warning .*\\b${old}\\b.*\\bstage 2\\b`, "m"));
  expect(stderr).toMatch(/^warning .*\bL1\b.*\bupdate_l2_score_contract\b/m);
});

test.each([
  ["a reference contract", () => deployOlder("referenceShape"), false],
  ["version 2.0.0", () => chain.deploy(1), true],
])("deploy --from takes over the open stage of %s", async (_title, deployOld, listsMembers) => {
  const old = await deployOld();
  const on = ["--contract", old];
  await chain.ok(["push", "one.csv", "--stage", "1", ...on]);
  await chain.ok(["finalize", "--stage", "1", "--file", "one.csv", "--yes", ...on]);
  await chain.ok(["push", "two.csv", "--stage", "2", ...on]);
  const taken = await chain.cli(["deploy", "--from", old, "--json"]);
  // Members that cannot be listed have to be added by hand.
  expect(/^warning .*\bvipscore members add /m.test(taken.stderr)).toBe(!listsMembers);
  expect(taken.json()).toMatchObject({
    version: "2.0.0",
    initStage: "2",
    members: [deployer],
    from: { contract: { address: old }, isOutdated: false, verification: { agrees: true, accounts: 60 } },
  });
  expect(await chain.ok(["verify", "two.csv", "--stage", "2"])).toMatchObject({ verification: { agrees: true } });
});

test("deploy --from refuses another first stage, and an address that is not a scoring contract", async () => {
  const old = await chain.deploy(7);
  const other = await chain.cli(["deploy", "--from", old, "--init-stage", "8", "--json"]);
  expect(other.json()["error"]).toMatchObject({ code: "INPUT_INVALID", exit: 2 });
  const nothing = await chain.cli(["deploy", "--from", operator, "--json"]);
  expect(nothing.json()["error"]).toMatchObject({ code: "CONTRACT_NOT_FOUND", exit: 3 });
});
