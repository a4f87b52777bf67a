import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Address } from "viem";

import { openChain, RevertError, someAddresses } from "./chain.ts";
import type { Chain, Contract } from "./chain.ts";

const U64_MAX = 2n ** 64n - 1n;

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

  it("refuses to finalize twice and leaves the next stage alone", async () => {
    await contract.send(member, "finalizeStage", [5n]);
    await contract.send(member, "updateScores", [6n, [a, b], [1n, 2n]]);
    for (const [name, args] of [
      ["finalizeStage", [5n]],
      ["finalizeStageChecked", [5n, 0n, 0n]],
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
