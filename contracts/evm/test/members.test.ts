import { zeroAddress, type Address } from "viem";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openChain, type Chain, type Contract } from "./chain.ts";

describe("members and owner", () => {
  let chain: Chain;
  let contract: Contract;
  let owner: Address;
  let member: Address;
  let stranger: Address;
  let heir: Address;
  let reset: () => Promise<void>;

  beforeAll(async () => {
    chain = await openChain();
    [owner, member, stranger, heir] = chain.accounts as [Address, Address, Address, Address];
    contract = await chain.deploy("VipScore", [1n]);
    reset = await chain.snapshot();
  });
  beforeEach(async () => reset());

  const members = async () => contract.read<Address[]>("allowListMembers");
  const denied = (addr: Address) => ({ name: "PermissionDenied", args: [addr] });

  it("makes the deployer owner and only member", async () => {
    expect([await contract.read("owner"), await members(), await contract.read("membersCanManage")]).toEqual([
      owner,
      [owner],
      true,
    ]);
  });

  it("adds and removes members, once each", async () => {
    expect((await contract.send(owner, "addAllowList", [member])).events).toEqual([
      { name: "AddAllowList", args: { addr: member } },
    ]);
    expect(await contract.send(owner, "addAllowList", [member])).toEqual({
      gasUsed: expect.any(BigInt) as bigint,
      events: [],
    });
    expect([await members(), await contract.read("allowList", [member])]).toEqual([[owner, member], true]);
    expect((await contract.send(owner, "removeAllowList", [member])).events).toEqual([
      { name: "RemoveAllowList", args: { addr: member } },
    ]);
    const again = await contract.send(owner, "removeAllowList", [member]);
    expect([again.error, again.events]).toEqual([undefined, []]);
    expect([await members(), await contract.read("allowList", [member])]).toEqual([[owner], false]);
  });

  it("lets members write, and nobody else", async () => {
    await contract.send(owner, "addAllowList", [member]);
    await contract.send(owner, "removeAllowList", [owner]);
    expect((await contract.send(member, "updateScore", [1n, stranger, 5n])).error).toBeUndefined();
    for (const from of [owner, stranger]) {
      expect((await contract.send(from, "updateScore", [1n, stranger, 5n])).error).toEqual(denied(from));
      expect((await contract.send(from, "finalizeStage", [1n])).error).toEqual(denied(from));
    }
  });

  it("lets members manage members until the owner turns that off", async () => {
    await contract.send(owner, "addAllowList", [member]);
    await contract.send(member, "addAllowList", [heir]);
    expect((await contract.send(stranger, "addAllowList", [stranger])).error).toEqual(denied(stranger));
    expect((await contract.send(owner, "setMembersCanManage", [false])).events).toEqual([
      { name: "SetMembersCanManage", args: { allowed: false } },
    ]);
    expect((await contract.send(member, "addAllowList", [stranger])).error).toEqual(denied(member));
    expect((await contract.send(member, "removeAllowList", [heir])).error).toEqual(denied(member));
    await contract.send(owner, "removeAllowList", [heir]);
    expect(await members()).toEqual([owner, member]);
    await contract.send(owner, "setMembersCanManage", [true]);
    expect((await contract.send(member, "removeAllowList", [owner])).error).toBeUndefined();
    expect(await members()).toEqual([member]);
  });

  it("lets the owner manage members without being one", async () => {
    await contract.send(owner, "addAllowList", [member]);
    await contract.send(owner, "removeAllowList", [owner]);
    expect((await contract.send(owner, "addAllowList", [heir])).error).toBeUndefined();
    expect(await members()).toEqual([member, heir]);
  });

  it("never removes the last member", async () => {
    const error = { name: "LastMember", args: [owner] };
    expect((await contract.send(owner, "removeAllowList", [owner])).error).toEqual(error);
    expect((await contract.send(owner, "removeAllowList", [stranger])).error).toBeUndefined();
    expect(await members()).toEqual([owner]);
  });

  it("does not accept the zero address as a member: it could become the last one", async () => {
    expect((await contract.send(owner, "addAllowList", [zeroAddress])).error).toEqual({
      name: "InvalidAddress",
      args: [zeroAddress],
    });
  });

  it("changes the owner in two steps", async () => {
    await contract.send(owner, "transferOwnership", [heir]);
    expect([await contract.read("owner"), await contract.read("pendingOwner")]).toEqual([owner, heir]);
    expect((await contract.send(stranger, "acceptOwnership")).error).toEqual({
      name: "OwnableUnauthorizedAccount",
      args: [stranger],
    });
    await contract.send(heir, "acceptOwnership");
    expect(await contract.read("owner")).toBe(heir);
    expect((await contract.send(owner, "setMembersCanManage", [false])).error).toEqual({
      name: "OwnableUnauthorizedAccount",
      args: [owner],
    });
    expect((await contract.send(heir, "setMembersCanManage", [false])).error).toBeUndefined();
  });

  it.each([
    ["setMembersCanManage", [false]],
    ["transferOwnership", [zeroAddress]],
    ["setFinalizer", [zeroAddress]],
  ])("reserves %s to the owner", async (name, args) => {
    await contract.send(owner, "addAllowList", [member]);
    expect((await contract.send(member, name, args)).error).toEqual({
      name: "OwnableUnauthorizedAccount",
      args: [member],
    });
  });

  it("always has an owner", async () => {
    for (const from of [owner, stranger]) {
      expect((await contract.send(from, "renounceOwnership")).error).toEqual({ name: "OwnerRequired", args: [] });
    }
    expect(await contract.read("owner")).toBe(owner);
  });

  describe("the finalizer", () => {
    const finalize = [
      ["finalizeStage", [1n]],
      ["finalizeStageChecked", [1n, 0n, 0n]],
      ["finalizeStageChecked", [1n, 0n, 0n, 0n]],
    ] as const;

    it("is any member at first", async () => {
      expect(await contract.read("finalizer")).toBe(zeroAddress);
      await contract.send(owner, "addAllowList", [member]);
      for (const [name, args] of finalize) {
        expect((await contract.send(stranger, name, args)).error).toEqual(denied(stranger));
        const back = await chain.snapshot();
        expect((await contract.send(member, name, args)).error).toBeUndefined();
        await back();
      }
    });

    it("alone finalizes once the owner named one, member or not", async () => {
      await contract.send(owner, "addAllowList", [member]);
      expect((await contract.send(owner, "setFinalizer", [heir])).events).toEqual([
        { name: "SetFinalizer", args: { finalizer: heir } },
      ]);
      expect(await contract.read("finalizer")).toBe(heir);
      for (const [name, args] of finalize) {
        for (const from of [owner, member, stranger]) {
          expect((await contract.send(from, name, args)).error).toEqual(denied(from));
        }
        const back = await chain.snapshot();
        expect((await contract.send(heir, name, args)).error).toBeUndefined();
        await back();
      }
      expect((await contract.send(heir, "updateScore", [1n, stranger, 1n])).error).toEqual(denied(heir));
    });

    it("is any member again after the owner named nobody", async () => {
      await contract.send(owner, "setFinalizer", [heir]);
      await contract.send(owner, "setFinalizer", [zeroAddress]);
      expect((await contract.send(heir, "finalizeStage", [1n])).error).toEqual(denied(heir));
      expect((await contract.send(owner, "finalizeStage", [1n])).error).toBeUndefined();
    });

    it("stays when ownership passes on, and the new owner names another", async () => {
      await contract.send(owner, "setFinalizer", [stranger]);
      await contract.send(owner, "transferOwnership", [heir]);
      await contract.send(heir, "acceptOwnership");
      expect(await contract.read("finalizer")).toBe(stranger);
      expect((await contract.send(owner, "setFinalizer", [owner])).error).toEqual({
        name: "OwnableUnauthorizedAccount",
        args: [owner],
      });
      expect((await contract.send(heir, "setFinalizer", [heir])).error).toBeUndefined();
    });
  });
});
