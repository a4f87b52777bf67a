import { zeroAddress, type Address } from "viem";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openChain, RevertError, someAddresses, type Chain, type Contract } from "./chain.ts";

const U64_MAX = 2n ** 64n - 1n;

/** What a revert says; when a call reverts is in the scenarios of packages/conformance. */
describe("errors", () => {
  let chain: Chain;
  let contract: Contract;
  let owner: Address;
  let stranger: Address;
  let reset: () => Promise<void>;
  const [a, b, c] = someAddresses(3) as [Address, Address, Address];

  beforeAll(async () => {
    chain = await openChain();
    [owner, stranger] = chain.accounts as [Address, Address];
    contract = await chain.deploy("VipScore", [1n]);
    reset = await chain.snapshot();
  });
  beforeEach(async () => reset());

  const errorOf = async (from: Address, name: string, args: readonly unknown[] = []) =>
    (await contract.send(from, name, args)).error;

  it("name the first stage of 0", async () => {
    const revert = await chain.deploy("VipScore", [0n]).catch((error: unknown) => error);
    expect(revert).toBeInstanceOf(RevertError);
    expect((revert as RevertError).revert).toEqual({ name: "ZeroStage", args: [] });
  });

  it.each([
    ["updateScores", [1n, [], []]],
    ["addAllowList", [a]],
    ["finalizeStage", [1n]],
  ])("name the caller of %s", async (name, args) => {
    expect(await errorOf(stranger, name, args)).toEqual({ name: "PermissionDenied", args: [stranger] });
  });

  it.each([
    ["setAllowList", [[zeroAddress]]],
    ["setMembersCanManage", [false]],
    ["transferOwnership", [zeroAddress]],
    ["acceptOwnership", []],
    ["setFinalizer", [zeroAddress]],
  ])("are OpenZeppelin's in %s", async (name, args) => {
    expect(await errorOf(stranger, name, args)).toEqual({ name: "OwnableUnauthorizedAccount", args: [stranger] });
  });

  it("name the account that cannot become or stop being a member, and the owner who must stay", async () => {
    expect(await errorOf(owner, "addAllowList", [zeroAddress])).toEqual({
      name: "InvalidAddress",
      args: [zeroAddress],
    });
    expect(await errorOf(owner, "removeAllowList", [owner])).toEqual({ name: "LastMember", args: [owner] });
    expect(await errorOf(owner, "setAllowList", [[]])).toEqual({ name: "LastMember", args: [zeroAddress] });
    expect(await errorOf(owner, "setAllowList", [[a, zeroAddress]])).toEqual({
      name: "InvalidAddress",
      args: [zeroAddress],
    });
    for (const from of [owner, stranger])
      expect(await errorOf(from, "renounceOwnership")).toEqual({ name: "OwnerRequired", args: [] });
  });

  it("name the stage, its score and the amount", async () => {
    expect(await errorOf(owner, "updateScores", [1n, [a], []])).toEqual({
      name: "AddrsAndAmountsLengthMistmatch",
      args: [],
    });
    expect(await errorOf(owner, "updateScore", [9n, a, 1n])).toEqual({ name: "StageNotFound", args: [9n] });
    await contract.send(owner, "updateScores", [1n, [a, b], [U64_MAX - 10n, 10n]]);
    for (const [name, addr, amount, error] of [
      ["increaseScore", a, 11n, { name: "ScoreOverflow", args: [1n, a] }],
      ["increaseScore", b, 1n, { name: "TotalOverflow", args: [1n] }],
      ["updateScore", c, 1n, { name: "TotalOverflow", args: [1n] }],
      ["decreaseScore", b, 11n, { name: "InsufficientScore", args: [1n, b, 10n, 11n] }],
      ["decreaseScore", c, 1n, { name: "InsufficientScore", args: [1n, c, 0n, 1n] }],
    ] as const)
      expect(await errorOf(owner, name, [1n, addr, amount])).toEqual(error);
    await contract.send(owner, "finalizeStage", [1n]);
    expect(await errorOf(owner, "updateScore", [1n, a, 1n])).toEqual({ name: "StageFinalized", args: [1n] });
  });

  it("name what differs in a checked finalize: total and count before the revision", async () => {
    await contract.send(owner, "updateScores", [1n, [a, b], [7n, 3n]]);
    for (const [args, error] of [
      [[1n, 11n, 2n, 1n], { name: "FinalizeMismatch", args: [1n, 11n, 10n, 2n, 2n] }],
      [[1n, 10n, 1n, 0n], { name: "FinalizeMismatch", args: [1n, 10n, 10n, 1n, 2n] }],
      [[1n, 10n, 2n, 0n], { name: "RevisionMismatch", args: [1n, 0n, 1n] }],
      [[1n, 10n, 2n, U64_MAX], { name: "RevisionMismatch", args: [1n, U64_MAX, 1n] }],
    ] as const)
      expect(await errorOf(owner, "finalizeStageChecked", args)).toEqual(error);
  });
});
