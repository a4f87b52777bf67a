import { describe, expect, test } from "vitest";
import { formatBech32, formatChecksummed, stage, u64Max } from "@vipscore/core";
import type { Actor, AdapterChain, Deployed, DeployOptions } from "./adapterChain.ts";
import { accountOf, longAccountOf, readRows, rowsOf, sorted, write, writeRows } from "./rows.ts";

const initStage = stage(4n);

/** Deploys, and returns the deployment with the steps that it reported. */
async function deploy(
  actor: Actor,
  options: DeployOptions = {},
): Promise<{ readonly deployed: Deployed; readonly steps: readonly string[] }> {
  const steps: string[] = [];
  const deployed = await actor.deployOurs({ onStep: (step) => steps.push(step), ...options });
  return { deployed, steps };
}

/** Deploys until the first step is done, and returns that step. */
async function interrupt(actor: Actor, options: DeployOptions): Promise<string> {
  const caller = new AbortController();
  const reason = new Error("enough");
  const steps: string[] = [];
  const onStep = (step: string) => {
    steps.push(step);
    if (step.endsWith(" done")) caller.abort(reason);
  };
  await expect(actor.deployOurs({ ...options, onStep, signal: caller.signal })).rejects.toBe(reason);
  const [last = ""] = steps.slice(-1);
  expect(steps.filter((step) => step.endsWith(" done"))).toEqual([last]);
  return last;
}

/** Registers the tests of deploying our contract. */
export function testDeploy(chain: () => AdapterChain): void {
  describe("a deployment", () => {
    test("creates a contract with its first stage and its deployer as owner and only member", async () => {
      const actor = await chain().fund();
      const { deployed } = await deploy(actor, { expectedChainId: chain().chainId });
      const { account } = actor;
      expect(deployed).toMatchObject({ initStage, members: [account], owner: account, pendingOwner: undefined });
      expect(deployed.address).toMatch(chain().forms.address);
      const contract = await actor.connect(deployed.address);
      expect(contract.identity.chainId).toBe(String(deployed.chainId));
      expect(contract.version).toBe(deployed.version);
      await writeRows(contract, rowsOf(2), initStage);
      expect(sorted(await readRows(contract, initStage))).toEqual(sorted(rowsOf(2)));
    });

    test("adds members and offers ownership, which is transferred when accepted", async () => {
      const [actor, owner] = [await chain().fund(), await chain().fund()];
      const members = [accountOf(1), actor.account, accountOf(2), accountOf(1)];
      const spelled = members.map((member, at) => (at % 2 === 0 ? formatBech32(member) : formatChecksummed(member)));
      const { deployed, steps } = await deploy(actor, { members: spelled, owner: formatBech32(owner.account) });
      expect(new Set(deployed.members)).toEqual(new Set(members));
      expect(deployed).toMatchObject({ owner: actor.account, pendingOwner: owner.account });
      expect(steps.slice(-2)).toEqual(["offerOwnership sending", "offerOwnership done"]);

      const asOwner = await owner.connect(deployed.address);
      const managers = async () => [await asOwner.isManager(owner.account), await asOwner.isManager(actor.account)];
      expect(await managers()).toEqual([false, true]);
      expect(await write(asOwner, { kind: "acceptOwnership" })).toMatchObject({ succeeded: true });
      expect(await asOwner.getControl()).toMatchObject({ owner: owner.account, pendingOwner: undefined });
      // The deployer still manages members until the owner forbids it.
      expect(await managers()).toEqual([true, true]);
      const member = accountOf(9);
      expect(await asOwner.isManager(member)).toBe(false);
      expect(await write(asOwner, { kind: "addMember", account: member })).toMatchObject({ succeeded: true });
      expect(await asOwner.isMember(member)).toBe(true);
      expect(await write(asOwner, { kind: "removeMember", account: member })).toMatchObject({ succeeded: true });
      expect(await asOwner.isMember(member)).toBe(false);
      expect(await write(asOwner, { kind: "setManagement", allowed: false })).toMatchObject({ succeeded: true });
      expect(await managers()).toEqual([true, false]);
      const asDeployer = await actor.connect(deployed.address);
      const { succeeded, code } = await write(asDeployer, { kind: "addMember", account: member });
      const reason = chain().reportsReasons ? "PERMISSION_DENIED" : undefined;
      expect({ succeeded, code }).toEqual({ succeeded: false, code: reason });
    });

    test("ends with the caller's reason when it is interrupted between steps", async () => {
      expect(await interrupt(await chain().fund(), { owner: accountOf(3) })).toMatch(/^\w+ done$/);
    });

    test.each([2n ** 53n + 1n, u64Max])("can start with stage %i", async (first) => {
      const { deployed } = await deploy(await chain().fund(), { initStage: stage(first) });
      expect(deployed.initStage).toBe(first);
    });

    test("sends nothing to another chain than expected", async () => {
      const actor = await chain().fund();
      const contract = await actor.deploy("reference");
      const sequence = await contract.getSequence();
      const deploying = deploy(actor, { expectedChainId: "7" });
      await expect(deploying).rejects.toMatchObject({ code: "CHAIN_MISMATCH" });
      expect(await contract.getSequence()).toBe(sequence);
    });

    test("fails for an account without funds", async () => {
      await expect(deploy(chain().poor())).rejects.toMatchObject({ code: "INSUFFICIENT_FUNDS" });
    });
  });
}

/** Registers the tests of deploying again, on a VM where an account has one contract, or one per name. */
export function testDeployAgain(chain: () => AdapterChain): void {
  describe("a repeated deployment", () => {
    test("changes nothing, and with other options does only what is missing", async () => {
      const actor = await chain().fund();
      const first = await deploy(actor);
      const again = await deploy(actor);
      expect(again.steps.filter((step) => !step.endsWith(" unchanged"))).toEqual([]);
      expect(again.deployed).toEqual({ ...first.deployed, transaction: undefined });

      const wanted = {
        members: [longAccountOf(1), actor.account, accountOf(2), longAccountOf(1)],
        owner: accountOf(2),
      };
      const more = await deploy(actor, wanted);
      expect(more.steps.filter((step) => !step.endsWith(" unchanged"))).toEqual([
        "addMember sending",
        "addMember done",
        "addMember sending",
        "addMember done",
        "offerOwnership sending",
        "offerOwnership done",
      ]);
      expect(more.deployed.address).toBe(first.deployed.address);
      expect(new Set(more.deployed.members)).toEqual(new Set(wanted.members));
      expect(more.deployed).toMatchObject({ owner: actor.account, pendingOwner: wanted.owner });
      const last = await deploy(actor, wanted);
      expect(last.steps.filter((step) => !step.endsWith(" unchanged"))).toEqual([]);
      expect(last.steps).toContain("offerOwnership unchanged");
    });

    test("completes an interrupted deployment", async () => {
      const actor = await chain().fund();
      const wanted = { owner: accountOf(3) };
      const done = await interrupt(actor, wanted);
      const { deployed, steps } = await deploy(actor, wanted);
      expect(steps).toContain(done.replace(" done", " unchanged"));
      expect(steps).not.toContain(done.replace(" done", " sending"));
      expect(steps.slice(-2)).toEqual(["offerOwnership sending", "offerOwnership done"]);
      expect(deployed).toMatchObject({ initStage, members: [actor.account], pendingOwner: wanted.owner });
    });

    test("refuses another first stage than the contract has", async () => {
      const actor = await chain().fund();
      await deploy(actor);
      await expect(deploy(actor, { initStage: stage(5n) })).rejects.toMatchObject({ code: "INIT_STAGE_SET" });
    });
  });
}
