import { zeroAddress, type Address } from "viem";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openChain, type Chain, type Contract } from "./chain.ts";
import { eventsOf } from "./outcomeOf.ts";
import { someAddress } from "./someAddress.ts";

const FIRST_STAGE = 5n;

/** Events that no other VM has; those of written rows are in the scenarios of packages/conformance. */
describe("events", () => {
  let chain: Chain;
  let contract: Contract;
  let owner: Address;
  let other: Address;
  let reset: () => Promise<void>;

  beforeAll(async () => {
    chain = await openChain();
    [owner, other] = chain.accounts as [Address, Address];
    contract = await chain.viem.deployContract("VipScore", [FIRST_STAGE]);
    reset = await chain.snapshot();
  });
  beforeEach(async () => reset());

  const eventsOfCall = async (name: string, args: readonly unknown[]) =>
    eventsOf(chain, contract, contract.write[name](args));

  it.each([
    ["finalizeStage", []],
    ["finalizeStageChecked", [7n, 1n, 1n]],
  ])("show which stage %s finalized and which one it created", async (name, expected) => {
    await contract.write.updateScore([FIRST_STAGE, someAddress(1), 7n]);
    expect(await eventsOfCall(name, [FIRST_STAGE, ...expected])).toEqual([
      { name: "FinalizeStage", args: { stage: FIRST_STAGE } },
      { name: "CreateStage", args: { stage: FIRST_STAGE + 1n } },
    ]);
    expect(await contract.read.stages([FIRST_STAGE])).toEqual([FIRST_STAGE, 7n, true]);
    expect(await contract.read.stages([FIRST_STAGE + 1n])).toEqual([FIRST_STAGE + 1n, 0n, false]);
  });

  it("show each change of the members, and only changes", async () => {
    const member = { addr: other };
    for (const [name, events] of [
      ["addAllowList", [{ name: "AddAllowList", args: member }]],
      ["addAllowList", []],
      ["removeAllowList", [{ name: "RemoveAllowList", args: member }]],
      ["removeAllowList", []],
    ] as const) {
      expect(await eventsOfCall(name, [other])).toEqual(events);
      expect(await contract.read.allowList([other])).toBe(name === "addAllowList");
    }
  });

  it("show that all members were replaced, and each new one", async () => {
    const cleared = { name: "ClearAllowList", args: {} };
    const added = (addr: Address) => ({ name: "AddAllowList", args: { addr } });
    expect(await eventsOfCall("setAllowList", [[other, someAddress(1), other, owner]])).toEqual([
      cleared,
      added(other),
      added(someAddress(1)),
      added(owner),
    ]);
    expect(await eventsOfCall("setAllowList", [[other]])).toEqual([cleared, added(other)]);
    expect(await contract.read.getAllowList([0n, 9n])).toEqual([other]);
  });

  it("show what the owner decides", async () => {
    expect(await eventsOfCall("setMembersCanManage", [false])).toEqual([
      { name: "SetMembersCanManage", args: { allowed: false } },
    ]);
    for (const finalizer of [other, zeroAddress])
      expect(await eventsOfCall("setFinalizer", [finalizer])).toEqual([{ name: "SetFinalizer", args: { finalizer } }]);
  });
});
