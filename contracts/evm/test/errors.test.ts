import { zeroAddress, type Address } from "viem";
import { beforeAll, beforeEach, describe, it } from "vitest";
import { openChain, type Chain, type Contract } from "./chain.ts";
import { someAddresses } from "./someAddress.ts";

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
    contract = await chain.viem.deployContract("VipScore", [1n]);
    reset = await chain.snapshot();
  });
  beforeEach(async () => reset());

  /** Fails unless a call by the owner, or by `account`, reverts with the error and exactly its arguments. */
  const expectRevert = async (
    [name, args]: readonly [string, readonly unknown[]],
    error: string,
    values: readonly unknown[],
    account = owner,
  ) =>
    chain.viem.assertions.revertWithCustomErrorWithArgs(contract.write[name](args, { account }), contract, error, [
      ...values,
    ]);

  it("name the first stage of 0", async () => {
    const deployed = chain.viem.deployContract("VipScore", [0n]);
    await chain.viem.assertions.revertWithCustomErrorWithArgs(deployed, contract, "ZeroStage", []);
  });

  it.each([
    ["updateScores", [1n, [], []]],
    ["addAllowList", [a]],
    ["finalizeStage", [1n]],
  ])("name the caller of %s", async (name, args) => {
    await expectRevert([name, args], "PermissionDenied", [stranger], stranger);
  });

  it.each([
    ["setAllowList", [[zeroAddress]]],
    ["setMembersCanManage", [false]],
    ["transferOwnership", [zeroAddress]],
    ["acceptOwnership", []],
    ["setFinalizer", [zeroAddress]],
  ])("are OpenZeppelin's in %s", async (name, args) => {
    await expectRevert([name, args], "OwnableUnauthorizedAccount", [stranger], stranger);
  });

  it("name the account that cannot become or stop being a member, and the owner who must stay", async () => {
    await expectRevert(["addAllowList", [zeroAddress]], "InvalidAddress", [zeroAddress]);
    await expectRevert(["removeAllowList", [owner]], "LastMember", [owner]);
    await expectRevert(["setAllowList", [[]]], "LastMember", [zeroAddress]);
    await expectRevert(["setAllowList", [[a, zeroAddress]]], "InvalidAddress", [zeroAddress]);
    for (const from of [owner, stranger]) await expectRevert(["renounceOwnership", []], "OwnerRequired", [], from);
  });

  it("name the stage, its score and the amount", async () => {
    await expectRevert(["updateScores", [1n, [a], []]], "AddrsAndAmountsLengthMistmatch", []);
    await expectRevert(["updateScore", [9n, a, 1n]], "StageNotFound", [9n]);
    await contract.write.updateScores([1n, [a, b], [U64_MAX - 10n, 10n]]);
    await expectRevert(["increaseScore", [1n, a, 11n]], "ScoreOverflow", [1n, a]);
    await expectRevert(["increaseScore", [1n, b, 1n]], "TotalOverflow", [1n]);
    await expectRevert(["updateScore", [1n, c, 1n]], "TotalOverflow", [1n]);
    await expectRevert(["decreaseScore", [1n, b, 11n]], "InsufficientScore", [1n, b, 10n, 11n]);
    await expectRevert(["decreaseScore", [1n, c, 1n]], "InsufficientScore", [1n, c, 0n, 1n]);
    await contract.write.finalizeStage([1n]);
    await expectRevert(["updateScore", [1n, a, 1n]], "StageFinalized", [1n]);
  });

  it("name what differs in a checked finalize: total and count before the revision", async () => {
    await contract.write.updateScores([1n, [a, b], [7n, 3n]]);
    for (const [args, error, values] of [
      [[1n, 11n, 2n, 1n], "FinalizeMismatch", [1n, 11n, 10n, 2n, 2n]],
      [[1n, 10n, 1n, 0n], "FinalizeMismatch", [1n, 10n, 10n, 1n, 2n]],
      [[1n, 10n, 2n, 0n], "RevisionMismatch", [1n, 0n, 1n]],
      [[1n, 10n, 2n, U64_MAX], "RevisionMismatch", [1n, U64_MAX, 1n]],
    ] as const)
      await expectRevert(["finalizeStageChecked", args], error, values);
  });
});
