// The runbooks of docs/security.md for stolen keys. In each, the thief uses the key first, and again between every two steps.
import { privateKeyToAccount } from "viem/accounts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { testAccounts } from "@vipscore/localnet";
import {
  addressOf,
  csvOf,
  openTestFolder,
  startNode,
  startTestChain,
  type CliOptions,
  type JsonObject,
  type TestFolder,
} from "./harness.ts";

const withKey = (key: `0x${string}`): CliOptions & { readonly address: string } => ({
  env: { PRIVATE_KEY: key },
  address: privateKeyToAccount(key).address.toLowerCase(),
});
const owner = withKey(testAccounts.deployer.privateKey);
const thief = withKey(testAccounts.operator.privateKey);
const accomplices = Array.from({ length: 3 }, (_, n) => addressOf(0x7000 + n));
const pushScores = ["push", "scores.csv", "--stage", "1"];
const pushStolen = ["push", "stolen.csv", "--stage", "1"];
const finalizeScores = ["finalize", "--stage", "1", "--file", "scores.csv", "--yes"];
const finalized = { verification: { agrees: true, isFinalized: true } };

let folder: TestFolder;
afterEach(() => folder[Symbol.asyncDispose]());

async function useFolder(opened: TestFolder): Promise<void> {
  folder = opened;
  await folder.write("scores.csv", csvOf(20));
  await folder.write("stolen.csv", `${csvOf(20, 500)}${accomplices[0]},1000000\n`);
}

/** What a key can try that gives it a role, gives one to others, or takes one from them. */
const attempts = [
  pushStolen,
  ["members", "add", thief.address],
  ...accomplices.map((address) => ["members", "add", address]),
  ["members", "manage", "on"],
  ["members", "finalizer", thief.address],
];

/** What wins the race for a stage or for the contract, if the thief still can. */
const winning = {
  finalize: ["finalize", "--stage", "1", "--file", "stolen.csv", "--yes"],
  offer: ["owner", "offer", accomplices[0] ?? ""],
  replaceMembers: ["members", "set", thief.address],
};

/** The thief tries everything, whether it may or not; then it must be refused what would win. */
async function act(mustFail: readonly (keyof typeof winning)[]): Promise<void> {
  for (const args of attempts) await folder.cli(args, thief);
  for (const name of mustFail) {
    const tried = await folder.cli([...winning[name], "--json"], thief);
    expect({ name, error: tried.json()["error"] }).toMatchObject({ name, error: { code: "PERMISSION_DENIED" } });
  }
}

/**
 * The thief tries everything that a member, a finalizer and an owner may do, on a contract where the key lost its power.
 *
 * @param manage - What would change whether members manage members.
 */
async function expectPowerless(contract: string, manage: "on" | "off" = "off"): Promise<void> {
  for (const args of [
    pushStolen,
    ["members", "add", addressOf(0x9999)],
    ["members", "set", thief.address],
    ["members", "finalizer", thief.address],
    ["members", "manage", manage],
    ["owner", "offer", thief.address],
    finalizeScores,
  ]) {
    const tried = await folder.cli([...args, "--contract", contract, "--json"], thief);
    expect({ args, status: tried.status, error: tried.json()["error"] }).toMatchObject({
      args,
      status: 3,
      error: { code: "PERMISSION_DENIED" },
    });
  }
}

/** Options of a deployment after which nobody can replace the code. */
const sealed = { evm: [], move: ["--upgrade-policy", "immutable"], wasm: ["--admin", "none"] } as const;

/** The steps from the moment when the contract belongs to the clean key. Returns what the finalize says. */
async function recover(contract: string): Promise<JsonObject> {
  await folder.ok(["members", "finalizer", owner.address], owner);
  await act(["finalize", "offer", "replaceMembers"]);
  await folder.ok(["members", "manage", "off"], owner);
  await act(["finalize", "offer", "replaceMembers"]);
  await folder.ok(["members", "set", owner.address], owner);
  await act(["finalize", "offer", "replaceMembers"]);
  expect(await folder.ok(["status"])).toMatchObject({
    members: [owner.address],
    control: {
      owner: owner.address,
      pendingOwner: null,
      finalizer: owner.address,
      othersManage: false,
      codeAdmin: null,
    },
  });
  await folder.ok([...pushScores, "--prune"], owner);
  await expectPowerless(contract, "on");
  expect(await folder.ok(["verify", "scores.csv", "--stage", "1"])).toMatchObject({ verification: { agrees: true } });
  return folder.ok(finalizeScores, owner);
}

describe.each(["evm", "move", "wasm"] as const)("%s", (vm) => {
  beforeEach(async () => useFolder(await openTestFolder(await startNode(vm))));

  test("the key that pushes and has deployed: its power ends, the thief's rows become 0, and the stage is finalized", async () => {
    const options = ["--init-stage", "1", "--owner", owner.address, ...sealed[vm]];
    const deployed = await folder.ok(["deploy", ...options], thief);
    const { address } = deployed["contract"] as { readonly address: string };
    await folder.ok(["owner", "accept"], owner);
    await folder.ok(pushScores, thief);
    await act(["offer", "replaceMembers"]);
    expect(await recover(address)).toMatchObject(finalized);
  });

  test("the finalizer's key: another account finalizes", async () => {
    const contract = await folder.deploy(1, ["--finalizer", thief.address]);
    await folder.ok(pushScores, owner);

    await folder.ok(["members", "finalizer", owner.address], owner);
    await expectPowerless(contract);
    expect(await folder.ok(finalizeScores, owner)).toMatchObject(finalized);
  });

  test("the owner's key, if the owner is faster: everything goes to a clean key", async () => {
    const deployed = await folder.ok(
      ["deploy", "--init-stage", "1", "--finalizer", thief.address, ...sealed[vm]],
      thief,
    );
    const { address } = deployed["contract"] as { readonly address: string };
    await folder.ok(pushScores, thief);
    await act([]);
    await folder.ok(["owner", "offer", owner.address], thief);
    await act([]);
    await folder.ok(["owner", "accept"], owner);
    await act(["offer", "replaceMembers"]);
    expect(await recover(address)).toMatchObject(finalized);
  });
});

test.each(["move", "wasm"] as const)(
  "%s: who can replace the code can change a finalized stage, which verify says",
  async (vm) => {
    await useFolder(await openTestFolder(await startNode(vm)));
    const verify = ["verify", "scores.csv", "--stage", "1"];
    await folder.deploy();
    await folder.ok(pushScores, owner);
    expect((await folder.cli(verify)).stderr).not.toContain("can replace");
    await folder.ok(["finalize", "--stage", "1", "--file", "scores.csv", "--yes"], owner);
    const { status, stderr } = await folder.cli(verify);
    expect({ status, stderr }).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/\breplace\b.*\bcode\b/),
    });
  },
);

test("the owner's key, if the thief is faster: a new contract takes nothing from the old one", async () => {
  const chain = await startTestChain();
  await useFolder(chain);
  const clean = withKey(`0x${"37".repeat(32)}`);
  await chain.rpc("hardhat_setBalance", [clean.address, `0x${(10n ** 18n).toString(16)}`]);
  const stolen = ["--contract", await folder.deploy(1, ["--owner", thief.address])];
  await folder.ok(["owner", "accept", ...stolen], thief);
  await folder.ok(["members", "set", thief.address, ...accomplices, ...stolen], thief);
  await folder.ok(["members", "finalizer", thief.address, ...stolen], thief);
  await folder.ok([...pushStolen, ...stolen], thief);

  const { contract } = await folder.ok(["deploy", "--init-stage", "1", "--finalizer", owner.address], clean);
  const { address } = contract as { readonly address: string };
  const on = ["--contract", address];
  await folder.ok([...pushScores, ...on], clean);
  expect(await folder.ok(["members", "list", ...on])).toMatchObject({ members: [clean.address] });
  await expectPowerless(address);
  expect(await folder.ok([...finalizeScores, ...on], owner)).toMatchObject(finalized);
});
