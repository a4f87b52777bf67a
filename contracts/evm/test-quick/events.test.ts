import { zeroAddress, type Address } from "viem";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openChain, someAddress, type Contract } from "./chain.ts";

const FIRST_STAGE = 5n;

/** Events that no other VM has; those of written rows are in the scenarios of packages/conformance. */
describe("events", () => {
  let contract: Contract;
  let owner: Address;
  let other: Address;
  let reset: () => Promise<void>;

  beforeAll(async () => {
    const chain = await openChain();
    [owner, other] = chain.accounts as [Address, Address];
    contract = await chain.deploy("VipScore", [FIRST_STAGE]);
    reset = await chain.snapshot();
  });
  beforeEach(async () => reset());

  it.each([
    ["finalizeStage", []],
    ["finalizeStageChecked", [7n, 1n, 1n]],
  ])("show which stage %s finalized and which one it created", async (name, expected) => {
    await contract.send(owner, "updateScore", [FIRST_STAGE, someAddress(1), 7n]);
    expect((await contract.send(owner, name, [FIRST_STAGE, ...expected])).events).toEqual([
      { name: "FinalizeStage", args: { stage: FIRST_STAGE } },
      { name: "CreateStage", args: { stage: FIRST_STAGE + 1n } },
    ]);
    expect(await contract.read("stages", [FIRST_STAGE])).toEqual([FIRST_STAGE, 7n, true]);
    expect(await contract.read("stages", [FIRST_STAGE + 1n])).toEqual([FIRST_STAGE + 1n, 0n, false]);
  });

  it("show each change of the members, and only changes", async () => {
    const member = { addr: other };
    for (const [name, events] of [
      ["addAllowList", [{ name: "AddAllowList", args: member }]],
      ["addAllowList", []],
      ["removeAllowList", [{ name: "RemoveAllowList", args: member }]],
      ["removeAllowList", []],
    ] as const) {
      expect(await contract.send(owner, name, [other])).toEqual({ gasUsed: expect.any(BigInt) as bigint, events });
      expect(await contract.read("allowList", [other])).toBe(name === "addAllowList");
    }
  });

  it("show that all members were replaced, and each new one", async () => {
    const cleared = { name: "ClearAllowList", args: {} };
    const added = (addr: Address) => ({ name: "AddAllowList", args: { addr } });
    const { events } = await contract.send(owner, "setAllowList", [[other, someAddress(1), other, owner]]);
    expect(events).toEqual([cleared, added(other), added(someAddress(1)), added(owner)]);
    expect((await contract.send(owner, "setAllowList", [[other]])).events).toEqual([cleared, added(other)]);
    expect(await contract.read("getAllowList", [0n, 9n])).toEqual([other]);
  });

  it("show what the owner decides", async () => {
    const events = async (name: string, args: readonly unknown[]) => (await contract.send(owner, name, args)).events;
    expect(await events("setMembersCanManage", [false])).toEqual([
      { name: "SetMembersCanManage", args: { allowed: false } },
    ]);
    for (const finalizer of [other, zeroAddress])
      expect(await events("setFinalizer", [finalizer])).toEqual([{ name: "SetFinalizer", args: { finalizer } }]);
  });
});
