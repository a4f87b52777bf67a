// The runbooks of docs/security.md for stolen keys. In each, the thief uses the key first.
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

describe.each(["evm", "move", "wasm"] as const)("%s", (vm) => {
  beforeEach(async () => useFolder(await openTestFolder(await startNode(vm))));

  test("the key of the only member: its power ends, the thief's rows become 0, and the stage is finalized", async () => {
    const contract = await folder.deploy();
    await folder.ok(["members", "set", thief.address], owner);
    await folder.ok(pushScores, thief);
    await folder.ok(pushStolen, thief);
    // On Move members never manage members.
    if (vm !== "move") for (const address of accomplices) await folder.ok(["members", "add", address], thief);

    await folder.ok(["members", "finalizer", owner.address], owner);
    await folder.ok(["members", "set", owner.address], owner);
    await folder.ok(["members", "manage", "off"], owner);
    expect(await folder.ok(["members", "list"])).toMatchObject({ members: [owner.address] });
    await folder.ok([...pushScores, "--prune"], owner);
    await expectPowerless(contract, "on");
    expect(await folder.ok(["verify", "scores.csv", "--stage", "1"])).toMatchObject({ verification: { agrees: true } });
    expect(await folder.ok(finalizeScores, owner)).toMatchObject(finalized);
  });

  test("the finalizer's key: another account finalizes", async () => {
    const contract = await folder.deploy(1, ["--finalizer", thief.address]);
    await folder.ok(pushScores, owner);

    await folder.ok(["members", "finalizer", owner.address], owner);
    await expectPowerless(contract);
    expect(await folder.ok(finalizeScores, owner)).toMatchObject(finalized);
  });

  test("the owner's key, if the owner is faster: ownership goes to a clean key", async () => {
    const admin = vm === "wasm" ? ["--admin", owner.address] : [];
    const contract = await folder.deploy(1, ["--owner", thief.address, ...admin]);
    await folder.ok(["owner", "accept"], thief);
    await folder.ok(pushScores, owner);

    await folder.ok(["owner", "offer", owner.address], thief);
    await folder.ok(["owner", "accept"], owner);
    await expectPowerless(contract);
    expect(await folder.ok(["status"])).toMatchObject({ control: { owner: owner.address, pendingOwner: null } });
  });
});

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
