import { zeroAddress, type Address } from "viem";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openChain, RevertError, someAddresses, type Chain, type Contract } from "./chain.ts";
import { packGroups } from "./packGroups.ts";

const U64_MAX = 2n ** 64n - 1n;

interface StageInfo {
  readonly stage: bigint;
  readonly totalScore: bigint;
  readonly scoreCount: bigint;
  readonly revision: bigint;
  readonly isFinalized: boolean;
}

describe("stages", () => {
  let chain: Chain;
  let contract: Contract;
  let member: Address;
  let stranger: Address;
  let reset: () => Promise<void>;
  const [a, b] = someAddresses(2) as [Address, Address];

  beforeAll(async () => {
    chain = await openChain();
    [member, stranger] = chain.accounts as [Address, Address];
    contract = await chain.deploy("VipScore", [5n]);
    reset = await chain.snapshot();
  });
  beforeEach(async () => reset());

  const stage = async (number: bigint) => contract.read<[bigint, bigint, boolean]>("stages", [number]);

  const info = async (number: bigint) => contract.read<StageInfo>("getStage", [number]);

  it("starts with the first stage open, and no other", async () => {
    expect(await contract.read("initStage")).toBe(5n);
    expect([await stage(4n), await stage(5n), await stage(6n)]).toEqual([
      [0n, 0n, false],
      [5n, 0n, false],
      [0n, 0n, false],
    ]);
  });

  it("refuses 0 as the first stage", async () => {
    const revert = await chain.deploy("VipScore", [0n]).catch((error: unknown) => error);
    expect(revert).toBeInstanceOf(RevertError);
    expect((revert as RevertError).revert).toEqual({ name: "ZeroStage", args: [] });
  });

  it("finalizes a stage and opens the next one", async () => {
    await contract.send(member, "updateScore", [5n, a, 7n]);
    const { events } = await contract.send(member, "finalizeStage", [5n]);
    expect(events).toEqual([
      { name: "FinalizeStage", args: { stage: 5n } },
      { name: "CreateStage", args: { stage: 6n } },
    ]);
    expect([await stage(5n), await stage(6n), await stage(7n)]).toEqual([
      [5n, 7n, true],
      [6n, 0n, false],
      [0n, 0n, false],
    ]);
  });

  it("refuses to finalize twice and does not change the next stage", async () => {
    await contract.send(member, "finalizeStage", [5n]);
    await contract.send(member, "updateScores", [6n, [a, b], [1n, 2n]]);
    for (const [name, args] of [
      ["finalizeStage", [5n]],
      ["finalizeStageChecked", [5n, 0n, 0n]],
      ["finalizeStageChecked", [5n, 0n, 0n, 0n]],
    ] as const) {
      expect((await contract.send(member, name, args)).error).toEqual({ name: "StageFinalized", args: [5n] });
    }
    expect(await stage(6n)).toEqual([6n, 3n, false]);
    await contract.send(member, "finalizeStage", [6n]);
    expect((await contract.send(member, "finalizeStage", [5n])).error).toEqual({ name: "StageFinalized", args: [5n] });
    expect(await stage(6n)).toEqual([6n, 3n, true]);
  });

  it.each([
    ["finalizeStage", []],
    ["finalizeStageChecked", [0n, 0n]],
    ["finalizeStageChecked", [0n, 0n, 0n]],
  ])("checks the caller and the stage in %s", async (name, rest) => {
    expect((await contract.send(stranger, name, [5n, ...rest])).error).toEqual({
      name: "PermissionDenied",
      args: [stranger],
    });
    for (const number of [0n, 4n, 6n, U64_MAX]) {
      expect((await contract.send(member, name, [number, ...rest])).error).toEqual({
        name: "StageNotFound",
        args: [number],
      });
    }
  });

  it("finalizes checked when total and count are as expected", async () => {
    await contract.send(member, "updateScores", [5n, [a, b], [7n, 0n]]);
    for (const [total, count] of [
      [7n, 1n],
      [7n, 3n],
      [6n, 2n],
      [0n, 0n],
      [U64_MAX, U64_MAX],
    ] as const) {
      expect((await contract.send(member, "finalizeStageChecked", [5n, total, count])).error).toEqual({
        name: "FinalizeMismatch",
        args: [5n, total, 7n, count, 2n],
      });
    }
    expect(await stage(5n)).toEqual([5n, 7n, false]);
    const { events } = await contract.send(member, "finalizeStageChecked", [5n, 7n, 2n]);
    expect(events.map(({ name }) => name)).toEqual(["FinalizeStage", "CreateStage"]);
    expect(await stage(5n)).toEqual([5n, 7n, true]);
  });

  it("refuses to finalize if any row was written after the caller read the stage", async () => {
    await contract.send(member, "updateScores", [5n, [a, b], [7n, 3n]]);
    const { totalScore, scoreCount, revision } = await info(5n);
    const checked = [5n, totalScore, scoreCount, revision];
    // Swapping the scores of two accounts keeps total and count.
    await contract.send(member, "updateScores", [5n, [a, b], [3n, 7n]]);
    expect((await contract.send(member, "finalizeStageChecked", checked)).error).toEqual({
      name: "RevisionMismatch",
      args: [5n, revision, revision + 1n],
    });
    for (const [total, count] of [
      [11n, 2n],
      [10n, 1n],
    ]) {
      expect((await contract.send(member, "finalizeStageChecked", [5n, total, count, 2n])).error).toEqual({
        name: "FinalizeMismatch",
        args: [5n, total, 10n, count, 2n],
      });
    }
    for (const other of [0n, 3n, U64_MAX]) {
      expect((await contract.send(member, "finalizeStageChecked", [5n, 10n, 2n, other])).error?.name).toBe(
        "RevisionMismatch",
      );
    }
    expect((await contract.send(member, "finalizeStageChecked", [5n, 10n, 2n, 2n])).error).toBeUndefined();
    expect(await info(5n)).toEqual({ stage: 5n, totalScore: 10n, scoreCount: 2n, revision: 2n, isFinalized: true });
  });

  it("counts every call that writes a row, whatever it changes, and no other call", async () => {
    expect(await info(5n)).toEqual({ stage: 5n, totalScore: 0n, scoreCount: 0n, revision: 0n, isFinalized: false });
    const calls = [
      ["updateScores", [5n, [], []], 0n],
      ["updateScores", [5n, [zeroAddress], [1n]], 0n],
      ["updateScore", [5n, zeroAddress, 1n], 0n],
      ["increaseScore", [5n, zeroAddress, 1n], 0n],
      ["decreaseScore", [5n, zeroAddress, 0n], 0n],
      ["registerAccounts", [[a, b]], 0n],
      ["updateScoresPacked", [5n, []], 0n],
      ["updateScores", [5n, [a, b], [1n, 2n]], 1n],
      ["updateScores", [5n, [a, zeroAddress], [1n, 2n]], 1n],
      ["updateScore", [5n, a, 1n], 1n],
      ["increaseScore", [5n, a, 0n], 1n],
      ["decreaseScore", [5n, a, 0n], 1n],
      ["updateScoresPacked", [5n, packGroups(new Map([[1, 1n]]))], 1n],
      ["updateScoresPacked", [5n, [{ key: 0n, amounts: 0n }]], 0n],
      ["updateScores", [5n, [a], [U64_MAX]], 0n],
      ["setFinalizer", [member], 0n],
      ["finalizeStage", [5n], 0n],
    ] as const;
    let expected = 0n;
    for (const [name, args, step] of calls) {
      expected += step;
      await contract.send(member, name, args);
      expect([name, (await info(5n)).revision]).toEqual([name, expected]);
    }
    expect((await info(6n)).revision).toBe(0n);
  });

  it("shows nothing of a stage that was never created", async () => {
    const none = { stage: 0n, totalScore: 0n, scoreCount: 0n, revision: 0n, isFinalized: false };
    expect([await info(0n), await info(4n), await info(6n)]).toEqual([none, none, none]);
  });

  it("has no stage after the last u64", async () => {
    const last = await chain.deploy("VipScore", [U64_MAX]);
    await last.send(member, "updateScore", [U64_MAX, a, 1n]);
    expect((await last.send(member, "finalizeStage", [U64_MAX])).events).toEqual([
      { name: "FinalizeStage", args: { stage: U64_MAX } },
    ]);
    expect(await last.read("stages", [U64_MAX])).toEqual([U64_MAX, 1n, true]);
    expect(await last.read("stages", [0n])).toEqual([0n, 0n, false]);
  });
});
