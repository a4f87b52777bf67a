import { zeroAddress, type Address } from "viem";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openChain, type Chain, type Contract } from "./chain.ts";
import { eventsOf } from "./outcomeOf.ts";
import { someAddresses } from "./someAddress.ts";

const U64_MAX = 2n ** 64n - 1n;

/** The faults that clients must handle; each was observed on the reference contract. */
describe("the contract of the reference's shape", () => {
  let chain: Chain;
  let contract: Contract;
  let member: Address;
  let reset: () => Promise<void>;
  const [a, b] = someAddresses(2) as [Address, Address];

  beforeAll(async () => {
    chain = await openChain();
    member = chain.accounts[0]!;
    contract = await chain.viem.deployContract("ReferenceShape", [1n]);
    reset = await chain.snapshot();
  });
  beforeEach(async () => reset());

  it("writes, reads and finalizes", async () => {
    const update = contract.write.updateScores([1n, [b, zeroAddress, a], [5n, 6n, 7n]]);
    expect(await eventsOf(chain, contract, update)).toEqual([
      { name: "UpdateScore", args: { addr: b, stage: 1n, score: 5n, totalScore: 5n } },
      { name: "UpdateScore", args: { addr: a, stage: 1n, score: 7n, totalScore: 12n } },
    ]);
    expect(await contract.read.getScores([1n, 1n, 2n])).toEqual([
      { addr: a, amount: 7n, index: 2n },
      { addr: zeroAddress, amount: 0n, index: 0n },
    ]);
    const finalized = await eventsOf(chain, contract, contract.write.finalizeStage([1n]));
    expect(finalized.map(({ name }) => name)).toEqual(["FinalizeStage", "CreateStage"]);
    const late = contract.write.updateScore([1n, a, 1n]);
    await chain.viem.assertions.revertWithCustomErrorWithArgs(late, contract, "StageFinalized", [1n]);
  });

  it("lets the total wrap", async () => {
    await contract.write.updateScores([1n, [a, b], [U64_MAX, 5n]]);
    expect(await contract.read.stages([1n])).toEqual([1n, 4n, false]);
  });

  it("passes an empty batch and the zero address on any stage", async () => {
    expect(await eventsOf(chain, contract, contract.write.updateScores([9n, [], []]))).toEqual([]);
    expect(await eventsOf(chain, contract, contract.write.updateScore([9n, zeroAddress, 1n]))).toEqual([]);
  });

  it("finalizes twice and removes its last member", async () => {
    await contract.write.finalizeStage([1n]);
    expect(await eventsOf(chain, contract, contract.write.finalizeStage([1n]))).toEqual([
      { name: "FinalizeStage", args: { stage: 1n } },
    ]);
    await contract.write.removeAllowList([member]);
    const added = contract.write.addAllowList([member]);
    await chain.viem.assertions.revertWithCustomErrorWithArgs(added, contract, "PermissionDenied", [member]);
  });

  it("cannot serve a large page", async () => {
    await expect(contract.read.getScores([1n, 0n, 2n ** 40n])).rejects.toThrow("out of gas");
  });
});
