import type { Address } from "viem";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openChain, someAddresses, type Chain, type Contract } from "./chain.ts";
import { compileSources } from "./compileSources.ts";

const U64_MAX = 2n ** 64n - 1n;
const [a, b] = someAddresses(2) as [Address, Address];

interface Info {
  readonly totalScore: bigint;
  readonly scoreCount: bigint;
  readonly revision: bigint;
}

/** Total, count and revision of stage 1. */
async function infoOf(contract: Contract): Promise<readonly bigint[]> {
  const { totalScore, scoreCount, revision } = await contract.read<Info>("getStage", [1n]);
  return [totalScore, scoreCount, revision];
}

describe("a contract that inherits and scores by its own rule", () => {
  let chain: Chain;
  let contract: Contract;
  let owner: Address;
  let stranger: Address;
  let reset: () => Promise<void>;

  beforeAll(async () => {
    chain = await openChain();
    [owner, stranger] = chain.accounts as [Address, Address];
    contract = await chain.deploy("ClaimedScores", [1n]);
    reset = await chain.snapshot();
  });
  beforeEach(async () => reset());

  it("writes rows of any caller, and knows members", async () => {
    const { events } = await contract.send(stranger, "claim", [1n]);
    expect(events).toEqual([{ name: "UpdateScore", args: { addr: stranger, stage: 1n, score: 10n, totalScore: 10n } }]);
    await contract.send(owner, "claim", [1n]);
    expect(await infoOf(contract)).toEqual([30n, 2n, 2n]);
  });

  it("keeps total, count and revision right for any rows", async () => {
    const rows = [
      { addr: a, amount: 5n },
      { addr: `0x${"00".repeat(20)}`, amount: 9n },
      { addr: a, amount: 7n },
      { addr: b, amount: 0n },
    ];
    await contract.send(stranger, "setScores", [1n, rows]);
    await contract.send(stranger, "setScores", [1n, []]);
    expect(await infoOf(contract)).toEqual([7n, 2n, 1n]);
    const { error } = await contract.send(stranger, "setScores", [1n, [{ addr: b, amount: U64_MAX }]]);
    expect(error).toEqual({ name: "TotalOverflow", args: [1n] });
  });

  it("writes to no stage that is finalized or does not exist", async () => {
    await contract.send(stranger, "claim", [1n]);
    await contract.send(owner, "finalizeStage", [1n]);
    const before = await infoOf(contract);
    for (const rows of [[], [{ addr: a, amount: 99n }]]) {
      const { error } = await contract.send(owner, "setScores", [1n, rows]);
      expect(error).toEqual({ name: "StageFinalized", args: [1n] });
      const missing = await contract.send(owner, "setScores", [9n, rows]);
      expect(missing.error).toEqual({ name: "StageNotFound", args: [9n] });
    }
    expect(await infoOf(contract)).toEqual(before);
  });

  it("narrows a function that members call", async () => {
    expect((await contract.send(owner, "updateScore", [1n, a, 1001n])).error).toEqual({
      name: "ScoreTooHigh",
      args: [1001n],
    });
    expect((await contract.send(stranger, "updateScore", [1n, a, 1n])).error?.name).toBe("PermissionDenied");
    expect((await contract.send(owner, "updateScore", [1n, a, 1000n])).error).toBeUndefined();
  });
});

describe("a hook", () => {
  let chain: Chain;
  let contract: Contract;
  let owner: Address;
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
    contract.send(owner, "setMode", [["Nothing", "Revert", "Write"].indexOf(mode), account]);

  beforeAll(async () => {
    chain = await openChain();
    [owner] = chain.accounts as [Address];
    contract = await chain.deploy("HookedScores", [1n]);
    await contract.send(owner, "registerAccounts", [[a, b]]);
    reset = await chain.snapshot();
  });
  beforeEach(async () => reset());

  it.each([...writes, ...finalizes])("that reverts stops %s", async (name, args) => {
    await setMode("Revert", a);
    expect((await contract.send(owner, name, args)).error).toEqual({ name: "Refused", args: [1n] });
    await setMode("Nothing", a);
    expect((await contract.send(owner, name, args)).error).toBeUndefined();
  });

  it.each(writes)("that writes loses no row of %s, and none of its own", async (name, args) => {
    await setMode("Write", b);
    await contract.send(owner, name, args);
    const score = name === "decreaseScore" ? 0n : 7n;
    expect(await contract.read("scores", [1n, a])).toEqual([true, score]);
    expect(await contract.read("scores", [1n, b])).toEqual([true, 5n]);
    expect(await infoOf(contract)).toEqual([score + 5n, 2n, 2n]);
  });

  it("that writes the account of an increase comes first", async () => {
    await setMode("Write", a);
    await contract.send(owner, "increaseScore", [1n, a, 7n]);
    expect(await infoOf(contract)).toEqual([12n, 1n, 2n]);
  });

  it("that writes before a finalize is in the finalized stage, and fails the checked finalize", async () => {
    await setMode("Write", a);
    const { error } = await contract.send(owner, "finalizeStageChecked", [1n, 0n, 0n, 0n]);
    expect(error).toEqual({ name: "FinalizeMismatch", args: [1n, 0n, 5n, 0n, 1n] });
    await contract.send(owner, "finalizeStage", [1n]);
    expect(await infoOf(contract)).toEqual([5n, 1n, 1n]);
    // Its write fails now, and the finalize with it.
    expect((await contract.send(owner, "finalizeStage", [1n])).error).toEqual({ name: "StageFinalized", args: [1n] });
  });
});

describe("the storage and the steps of a write", () => {
  // A contract that reached one of these could change a finalized stage, or break a total.
  const attempts = [
    "_stages[1].totalScore = 99;",
    "_stages[1].isFinalized = false;",
    "_accounts.pop();",
    "_ids[msg.sender] = 1;",
    "_begin(1);",
    "_createStage(1);",
    "_openStage(1);",
    "_register(msg.sender);",
    "_finalize(_stages[1]);",
    "initStage = 7;",
    "finalizer = msg.sender;",
    "membersCanManage = true;",
  ];

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
