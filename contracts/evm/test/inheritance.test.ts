import { toHex, type Address } from "viem";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openChain, type Chain, type Contract } from "./chain.ts";
import { compileSources } from "./compileSources.ts";
import { compileChild, deployCode, outsideSource } from "./deployChild.ts";
import { eventsOf } from "./outcomeOf.ts";
import { readWords } from "./readWords.ts";
import { someAddresses } from "./someAddress.ts";

const U64_MAX = 2n ** 64n - 1n;
const [a, b] = someAddresses(2) as [Address, Address];

interface Info {
  readonly totalScore: bigint;
  readonly scoreCount: bigint;
  readonly revision: bigint;
}

/** Total, count and revision of stage 1. */
async function infoOf(contract: Contract): Promise<readonly bigint[]> {
  const { totalScore, scoreCount, revision } = (await contract.read.getStage([1n])) as Info;
  return [totalScore, scoreCount, revision];
}

describe("a contract that inherits and scores by its own rule", () => {
  let chain: Chain;
  let contract: Contract;
  let stranger: Address;
  let reset: () => Promise<void>;

  beforeAll(async () => {
    chain = await openChain();
    stranger = chain.accounts[1]!;
    contract = await chain.viem.deployContract("ClaimedScores", [1n]);
    reset = await chain.snapshot();
  });
  beforeEach(async () => reset());

  const expectRevert = async (call: Promise<unknown>, error: string, args: readonly unknown[]) =>
    chain.viem.assertions.revertWithCustomErrorWithArgs(call, contract, error, [...args]);

  it("writes rows of any caller, and knows members", async () => {
    const events = await eventsOf(chain, contract, contract.write.claim([1n], { account: stranger }));
    expect(events).toEqual([{ name: "UpdateScore", args: { addr: stranger, stage: 1n, score: 10n, totalScore: 10n } }]);
    await contract.write.claim([1n]);
    expect(await infoOf(contract)).toEqual([30n, 2n, 2n]);
  });

  it("keeps total, count and revision right for any rows", async () => {
    const rows = [
      { addr: a, amount: 5n },
      { addr: `0x${"00".repeat(20)}`, amount: 9n },
      { addr: a, amount: 7n },
      { addr: b, amount: 0n },
    ];
    await contract.write.setScores([1n, rows], { account: stranger });
    await contract.write.setScores([1n, []], { account: stranger });
    expect(await infoOf(contract)).toEqual([7n, 2n, 1n]);
    const tooMuch = contract.write.setScores([1n, [{ addr: b, amount: U64_MAX }]], { account: stranger });
    await expectRevert(tooMuch, "TotalOverflow", [1n]);
  });

  it("writes to no stage that is finalized or does not exist", async () => {
    await contract.write.claim([1n], { account: stranger });
    await contract.write.finalizeStage([1n]);
    const before = await infoOf(contract);
    for (const rows of [[], [{ addr: a, amount: 99n }]]) {
      await expectRevert(contract.write.setScores([1n, rows]), "StageFinalized", [1n]);
      await expectRevert(contract.write.setScores([9n, rows]), "StageNotFound", [9n]);
    }
    expect(await infoOf(contract)).toEqual(before);
  });

  it("narrows a function that members call", async () => {
    await expectRevert(contract.write.updateScore([1n, a, 1001n]), "ScoreTooHigh", [1001n]);
    const byStranger = contract.write.updateScore([1n, a, 1n], { account: stranger });
    await expectRevert(byStranger, "PermissionDenied", [stranger]);
    await contract.write.updateScore([1n, a, 1000n]);
    expect(await infoOf(contract)).toEqual([1000n, 1n, 1n]);
  });
});

describe("a hook", () => {
  let chain: Chain;
  let contract: Contract;
  let reset: () => Promise<void>;
  const writes = [
    ["updateScores", [1n, [a], [7n]]],
    ["updateScore", [1n, a, 7n]],
    ["increaseScore", [1n, a, 7n]],
    ["decreaseScore", [1n, a, 0n]],
    ["updateScoresPacked", [1n, [{ key: 2n, amounts: 7n << 64n }]]],
  ] as const;
  const finalizes = [
    ["finalizeStage", [1n]],
    ["finalizeStageChecked", [1n, 0n, 0n, 0n]],
  ] as const;
  const setMode = async (mode: "Nothing" | "Revert" | "Write", account: Address) =>
    contract.write.setMode([["Nothing", "Revert", "Write"].indexOf(mode), account]);
  const expectRevert = async (call: Promise<unknown>, error: string, args: readonly unknown[]) =>
    chain.viem.assertions.revertWithCustomErrorWithArgs(call, contract, error, [...args]);

  beforeAll(async () => {
    chain = await openChain();
    contract = await chain.viem.deployContract("HookedScores", [1n]);
    await contract.write.registerAccounts([[a, b]]);
    reset = await chain.snapshot();
  });
  beforeEach(async () => reset());

  it.each([...writes, ...finalizes])("that reverts stops %s", async (name, args) => {
    await setMode("Revert", a);
    await expectRevert(contract.write[name](args), "Refused", [1n]);
    await setMode("Nothing", a);
    await contract.write[name](args);
  });

  it.each(writes)("that writes loses no row of %s, and none of its own", async (name, args) => {
    await setMode("Write", b);
    await contract.write[name](args);
    const score = name === "decreaseScore" ? 0n : 7n;
    expect(await contract.read.scores([1n, a])).toEqual([true, score]);
    expect(await contract.read.scores([1n, b])).toEqual([true, 5n]);
    expect(await infoOf(contract)).toEqual([score + 5n, 2n, 2n]);
  });

  it("that writes the account of an increase comes first", async () => {
    await setMode("Write", a);
    await contract.write.increaseScore([1n, a, 7n]);
    expect(await infoOf(contract)).toEqual([12n, 1n, 2n]);
  });

  it("that writes before a finalize is in the finalized stage, and fails the checked finalize", async () => {
    await setMode("Write", a);
    const checked = contract.write.finalizeStageChecked([1n, 0n, 0n, 0n]);
    await expectRevert(checked, "FinalizeMismatch", [1n, 0n, 5n, 0n, 1n]);
    await contract.write.finalizeStage([1n]);
    expect(await infoOf(contract)).toEqual([5n, 1n, 1n]);
    // Its write fails now, and the finalize with it.
    await expectRevert(contract.write.finalizeStage([1n]), "StageFinalized", [1n]);
  });
});

describe("transient variables of a contract that inherits", () => {
  // With viaIR, solc 0.8.28 to 0.8.33 clear the slot of that number in storage (TransientStorageClearingHelperCollision).
  it("are cleared without a change of the storage, whose own slots are cleared as before", async () => {
    const types = ["address", "uint64", "bool", "bytes32", "uint256"];
    const variables = types.flatMap((type) => [...Array(9).keys()].map((n) => `${type} transient ${type}_${n};`));
    const cleared = types.flatMap((type) => [...Array(9).keys()].map((n) => `delete ${type}_${n};`));
    const { Child } = await compileChild(`${outsideSource}
      contract Child is VipScore { ${variables.join(" ")} constructor() VipScore(1) {}
        function clear() external { ${cleared.join(" ")} } }`);
    const chain = await openChain();
    const [owner, other] = chain.accounts as [Address, Address];
    const contract = await deployCode(chain, Child, []);
    await contract.write.updateScores([1n, [a, b], [7n, 8n]]);
    await contract.write.setFinalizer([other]);
    const slots = [...Array(9).keys()].map((slot) => toHex(slot, { size: 32 }));
    const before = await readWords(chain, contract, slots);
    await contract.write.clear();
    expect(await readWords(chain, contract, slots)).toEqual(before);
    await contract.write.addAllowList([other]);
    await contract.write.removeAllowList([other]);
    expect(await contract.read.allowList([other])).toBe(false);
    await contract.write.transferOwnership([other]);
    await contract.write.acceptOwnership([], { account: other });
    expect(await contract.read.pendingOwner()).toBe(`0x${"00".repeat(20)}`);
    expect(await contract.read.owner()).not.toBe(owner);
  });
});

describe("the storage and the steps of a write", () => {
  // A contract that reached one of these could change a finalized stage, or break a total.
  const attempts = [
    "_stages[1].totalScore = 99;",
    "_stages[1].isFinalized = false;",
    "_accounts.pop();",
    "_ids[msg.sender] = 1;",
    "_beginWrite(1);",
    "_createStage(1);",
    "_openStage(1);",
    "_register(msg.sender);",
    "_finalize(_stages[1]);",
    "_initStage = 7;",
    "_finalizer = msg.sender;",
    "_membersCanManage = false;",
  ];

  it("are only read by a contract that inherits", async () => {
    const views =
      "initStage(); stages(1); getStage(1); scores(1, msg.sender); getScores(1, 0, 1); getScoresFrom(1, 0, 1); accountCount(); finalizer(); membersCanManage(); allowListCount(); getAllowList(0, 1); _isMember(msg.sender);";
    const child = `pragma solidity ^0.8.24; import {VipScore} from "src/VipScore.sol"; contract Child is VipScore { constructor() VipScore(1) {} function read() external view { ${views} } }`;
    const { errors = [] } = await compileSources({ "child.sol": child }, {});
    expect(errors.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  it("are out of reach of a contract that inherits", async () => {
    const others = Object.fromEntries(
      attempts.map((code, n) => [
        `child${n}.sol`,
        `pragma solidity ^0.8.24; import {VipScore} from "src/VipScore.sol"; contract Child is VipScore { constructor() VipScore(1) {} function attack() external { ${code} } }`,
      ]),
    );
    for (const [file, source] of Object.entries(others)) {
      const { errors = [] } = await compileSources({ [file]: source }, {});
      const found = errors.filter(({ severity }) => severity === "error").map(({ type }) => type);
      expect([source, found.length > 0, found.every((type) => /^(Declaration|Type)Error$/.test(type))]).toEqual([
        source,
        true,
        true,
      ]);
    }
  });
});
