import { encodeFunctionData, type Address } from "viem";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openChain, type Chain, type Contract } from "./chain.ts";
import { compileSources } from "./compileSources.ts";
import { compileChild, deployCode, outsideSource, type ChildCode } from "./deployChild.ts";
import { outcomeOf } from "./outcomeOf.ts";
import { someAddresses } from "./someAddress.ts";

const [a, b] = someAddresses(2) as [Address, Address];

/** Each of its hooks can call back once, with any data, through another contract; each row earns a bonus. */
const source = `${outsideSource}
contract Child is RowHooks {
  enum Hook { None, Write, Rows, Finalize }
  Outside private immutable outside;
  address private immutable referrer;
  Hook private _armed;
  bytes private _data;
  error Refused(uint64 total);
  constructor(Outside outside_, address referrer_) VipScore(1) { outside = outside_; referrer = referrer_; }
  function arm(Hook hook, bytes calldata data) external { (_armed, _data) = (hook, data); }
  function _callBack(Hook hook) private {
    if (_armed != hook) return;
    _armed = Hook.None;
    outside.run(_data, true);
  }
  function _beforeWrite(uint64) internal override { _callBack(Hook.Write); }
  function _beforeFinalize(uint64) internal override { _callBack(Hook.Finalize); }
  function _rowsToWrite(uint64 stage, Row[] memory rows) internal override returns (Row[] memory more) {
    _callBack(Hook.Rows);
    (, uint64 bonus) = scores(stage, referrer);
    more = new Row[](rows.length + 1);
    for (uint256 i = 0; i < rows.length; ++i) { more[i] = rows[i]; bonus += rows[i].amount / 10; }
    more[rows.length] = Row(referrer, bonus);
  }
  function _beforeRow(uint64 stage, address, uint64 amount) internal view override {
    if (!outside.allows(amount, 97)) revert Refused(getStage(stage).totalScore);
  }
}
contract Packed is RowHooks {
  constructor() VipScore(1) {}
  function updateScoresPacked(uint64 stage, PackedScores[] calldata entries) public override {
    VipScore.updateScoresPacked(stage, entries);
  }
}`;

describe("a contract with row hooks", () => {
  let chain: Chain;
  let codes: Readonly<Record<string, ChildCode>>;
  let contract: Contract;
  let reset: () => Promise<void>;
  const referrer = someAddresses(1, 9)[0];

  beforeAll(async () => {
    chain = await openChain();
    codes = await compileChild(source);
    const outside = await deployCode(chain, codes["Outside"], []);
    contract = await deployCode(chain, codes["Child"], [outside.address, referrer]);
    await contract.write.addAllowList([outside.address]);
    reset = await chain.snapshot();
  });
  beforeEach(async () => reset());

  const scoresOf = async (...accounts: Address[]) =>
    Promise.all(accounts.map(async (account) => ((await contract.read.scores([1n, account])) as [boolean, bigint])[1]));
  const infoOf = async () => {
    const { totalScore, scoreCount, revision, isFinalized } = (await contract.read.getStage([1n])) as {
      readonly [field: string]: bigint | boolean;
    };
    return { totalScore, scoreCount, revision, isFinalized };
  };
  const errorOf = async (name: string, args: readonly unknown[]) =>
    (await outcomeOf(chain, contract, contract.write[name](args))).error;
  const arm = async (hook: "Write" | "Rows" | "Finalize", functionName: string, args: readonly unknown[]) => {
    const data = encodeFunctionData({ abi: contract.abi, functionName, args });
    await contract.write.arm([["None", "Write", "Rows", "Finalize"].indexOf(hook), data]);
  };

  it("adds rows, which total, count and revision include", async () => {
    await contract.write.updateScores([1n, [a, b], [1000n, 500n]]);
    expect(await scoresOf(a, b, referrer)).toEqual([1000n, 500n, 150n]);
    expect(await infoOf()).toEqual({ totalScore: 1650n, scoreCount: 3n, revision: 1n, isFinalized: false });
    await contract.write.finalizeStageChecked([1n, 1650n, 3n, 1n]);
  });

  it.each([
    ["updateScores", [1n, [a], [20n]], 20n],
    ["updateScore", [1n, a, 20n], 20n],
    ["increaseScore", [1n, a, 20n], 120n],
    ["decreaseScore", [1n, a, 20n], 80n],
  ] as const)("adds one to %s", async (name, args, score) => {
    await contract.write.updateScore([1n, a, 100n]);
    await contract.write[name](args);
    expect(await scoresOf(a, referrer)).toEqual([score, 10n + score / 10n]);
    expect(await infoOf()).toMatchObject({ totalScore: score + 10n + score / 10n, revision: 2n });
  });

  it("refuses a row before any is written", async () => {
    const refused = { name: "Refused", args: [0n] };
    expect(await errorOf("updateScores", [1n, [a, b], [7n, 99n]])).toEqual(refused);
    expect(await errorOf("updateScores", [1n, [a, b], [990n, 7n]])).toEqual(refused);
    expect(await infoOf()).toMatchObject({ scoreCount: 0n, revision: 0n });
  });

  it("checks the stage before the rows", async () => {
    await contract.write.finalizeStage([1n]);
    expect(await errorOf("updateScore", [1n, a, 99n])).toEqual({ name: "StageFinalized", args: [1n] });
    expect(await errorOf("updateScores", [9n, [a], [99n]])).toEqual({ name: "StageNotFound", args: [9n] });
  });

  it("takes no packed batch, unless it overrides that", async () => {
    await contract.write.registerAccounts([[a]]);
    const batch = [1n, [{ key: 2n, amounts: 99n << 64n }]];
    const error = { name: "Error", args: ["packed batches pass no row hook"] };
    expect(await errorOf("updateScoresPacked", batch)).toEqual(error);
    const packed = await deployCode(chain, codes["Packed"], []);
    await packed.write.registerAccounts([[a]]);
    await packed.write.updateScoresPacked(batch);
    expect(await packed.read.stages([1n])).toEqual([1n, 99n, false]);
  });

  const finalized = { name: "StageFinalized", args: [1n] };
  it.each([
    ["Write", "finalizeStage", [1n], finalized],
    ["Rows", "finalizeStage", [1n], finalized],
    ["Rows", "updateScores", [1n, [b], [5n]], { name: "RevisionMismatch", args: [1n, 0n, 1n] }],
    ["Rows", "updateScore", [1n, a, 5n], { name: "RevisionMismatch", args: [1n, 0n, 1n] }],
    ["Rows", "registerAccounts", [[b]], undefined],
  ] as const)("in whose hook %s another contract calls %s", async (hook, name, args, error) => {
    for (const [write, more] of [
      ["updateScores", [1n, [a], [7n]]],
      ["increaseScore", [1n, a, 7n]],
    ] as const) {
      await reset();
      await arm(hook, name, args);
      expect(await errorOf(write, more)).toEqual(error);
      expect(await infoOf()).toMatchObject(error === undefined ? { totalScore: 7n } : { revision: 0n, scoreCount: 0n });
    }
  });

  it("increases the score that another contract wrote before", async () => {
    await arm("Write", "updateScore", [1n, a, 5n]);
    await contract.write.increaseScore([1n, a, 7n]);
    expect(await scoresOf(a, referrer)).toEqual([12n, 1n]);
    expect(await infoOf()).toMatchObject({ totalScore: 13n, scoreCount: 2n, revision: 2n });
  });

  it("finalizes what another contract wrote before, unless the finalize is checked", async () => {
    await arm("Finalize", "updateScore", [1n, a, 5n]);
    const mismatch = { name: "FinalizeMismatch", args: [1n, 0n, 5n, 0n, 2n] };
    expect(await errorOf("finalizeStageChecked", [1n, 0n, 0n, 0n])).toEqual(mismatch);
    await contract.write.finalizeStage([1n]);
    expect(await infoOf()).toEqual({ totalScore: 5n, scoreCount: 2n, revision: 1n, isFinalized: true });
  });

  it("finalizes once if another contract finalizes before", async () => {
    await arm("Finalize", "finalizeStage", [1n]);
    expect(await errorOf("finalizeStage", [1n])).toEqual(finalized);
    expect(await infoOf()).toMatchObject({ isFinalized: false });
  });
});

describe("a hook that runs for each row", () => {
  /** Whether a contract compiles with this hook; fails if it does not for another reason than its type. */
  const compiles = async (base: string, mutability: string, code: string) => {
    const text = `pragma solidity ^0.8.24;${outsideSource}
contract Child is ${base} {
  Outside private outside;
  uint256 private counter;
  constructor() VipScore(1) {}
  function _beforeRow(uint64 stage, address addr, uint64 amount) internal ${mutability} override { ${code} }
}`;
    const { errors = [] } = await compileSources({ "child.sol": text }, {});
    const types = errors.filter(({ severity }) => severity === "error").map(({ type }) => type);
    expect(types.every((type) => type === "TypeError")).toBe(true);
    return types.length === 0;
  };

  it.each([
    "_setScores(stage, new Row[](1));",
    "finalizeStage(stage);",
    'outside.run("", true);',
    "++counter;",
    "selfdestruct(payable(addr));",
  ])("cannot do %s", async (code) => {
    expect(await compiles("RowHooks", "", code)).toBe(false);
    expect(await compiles("RowHooks", "view", code)).toBe(false);
    // A contract whose packed batches would skip the hook has none.
    expect(await compiles("VipScore", "", code)).toBe(false);
  });

  it("can read", async () => {
    const code =
      "(, uint64 score) = scores(stage, addr); require(outside.allows(amount, 3) && score < getStage(stage).totalScore);";
    expect(await compiles("RowHooks", "view", code)).toBe(true);
  });
});
