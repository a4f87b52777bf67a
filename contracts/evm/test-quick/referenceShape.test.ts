import { zeroAddress, type Address } from "viem";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openChain, someAddresses, type Contract } from "./chain.ts";

const U64_MAX = 2n ** 64n - 1n;

/** The faults that clients must handle; each was observed on the reference contract. */
describe("the contract of the reference's shape", () => {
  let contract: Contract;
  let member: Address;
  let reset: () => Promise<void>;
  const [a, b] = someAddresses(2) as [Address, Address];

  beforeAll(async () => {
    const chain = await openChain();
    [member] = chain.accounts as [Address];
    contract = await chain.deploy("ReferenceShape", [1n]);
    reset = await chain.snapshot();
  });
  beforeEach(async () => reset());

  it("writes, reads and finalizes", async () => {
    const { events } = await contract.send(member, "updateScores", [1n, [b, zeroAddress, a], [5n, 6n, 7n]]);
    expect(events).toEqual([
      { name: "UpdateScore", args: { addr: b, stage: 1n, score: 5n, totalScore: 5n } },
      { name: "UpdateScore", args: { addr: a, stage: 1n, score: 7n, totalScore: 12n } },
    ]);
    expect(await contract.read("getScores", [1n, 1n, 2n])).toEqual([
      { addr: a, amount: 7n, index: 2n },
      { addr: zeroAddress, amount: 0n, index: 0n },
    ]);
    expect((await contract.send(member, "finalizeStage", [1n])).events.map(({ name }) => name)).toEqual([
      "FinalizeStage",
      "CreateStage",
    ]);
    expect((await contract.send(member, "updateScore", [1n, a, 1n])).error).toEqual({
      name: "StageFinalized",
      args: [1n],
    });
  });

  it("lets the total wrap", async () => {
    await contract.send(member, "updateScores", [1n, [a, b], [U64_MAX, 5n]]);
    expect(await contract.read("stages", [1n])).toEqual([1n, 4n, false]);
  });

  it("passes an empty batch and the zero address on any stage", async () => {
    for (const [name, args] of [
      ["updateScores", [9n, [], []]],
      ["updateScore", [9n, zeroAddress, 1n]],
    ] as const) {
      expect((await contract.send(member, name, args)).error).toBeUndefined();
    }
  });

  it("finalizes twice and removes its last member", async () => {
    await contract.send(member, "finalizeStage", [1n]);
    expect((await contract.send(member, "finalizeStage", [1n])).events).toEqual([
      { name: "FinalizeStage", args: { stage: 1n } },
    ]);
    await contract.send(member, "removeAllowList", [member]);
    expect((await contract.send(member, "addAllowList", [member])).error).toEqual({
      name: "PermissionDenied",
      args: [member],
    });
  });

  it("cannot serve a large page", async () => {
    await expect(contract.read("getScores", [1n, 0n, 2n ** 40n])).rejects.toThrow();
  });
});
