import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openChain, type Chain, type Contract } from "./chain.ts";
import { eventsOf } from "./outcomeOf.ts";
import { packGroups, type PackedScores } from "./packGroups.ts";
import { someAddresses } from "./someAddress.ts";

const U64_MAX = 2n ** 64n - 1n;
const ACCOUNTS = 300;

describe("packed batches", () => {
  let chain: Chain;
  let contract: Contract;
  let reset: () => Promise<void>;
  const addrs = someAddresses(ACCOUNTS);

  beforeAll(async () => {
    chain = await openChain();
    contract = await chain.viem.deployContract("VipScore", [1n]);
    await contract.write.registerAccounts([addrs]);
    reset = await chain.snapshot();
  });
  beforeEach(async () => reset());

  const send = async (...groups: readonly PackedScores[]) => contract.write.updateScoresPacked([1n, groups]);
  const expectRevert = async (groups: readonly PackedScores[], error: string, arg: unknown) =>
    chain.viem.assertions.revertWithCustomErrorWithArgs(send(...groups), contract, error, [arg]);
  const rows = async () => {
    const [page] = (await contract.read.getScoresFrom([1n, 0, 1000n])) as [{ id: number; amount: bigint }[], number];
    return page.map(({ id, amount }) => [id, amount] as const);
  };

  it("sets any selection of scores across the boundaries of words and buckets", async () => {
    const scores = new Map([
      [1, 5n],
      [2, 0n],
      [3, U64_MAX - 1000n],
      [4, 7n],
      [9, 1n],
      [254, 2n],
      [255, 3n],
      [256, 4n],
      [257, 5n],
      [300, 6n],
    ]);
    expect(await eventsOf(chain, contract, send(...packGroups(scores)))).toEqual([
      { name: "UpdateScoresPacked", args: { stage: 1n, count: 10n, totalScore: U64_MAX - 967n } },
    ]);
    expect(await rows()).toEqual([...scores]);
    expect(await contract.read.getStage([1n])).toMatchObject({ totalScore: U64_MAX - 967n, scoreCount: 10n });
  });

  it("overwrites only the selected lanes", async () => {
    await send(
      ...packGroups(
        new Map([
          [4, 10n],
          [5, 20n],
          [6, 30n],
          [7, 40n],
        ]),
      ),
    );
    const groups = packGroups(
      new Map([
        [5, 0n],
        [7, 1n],
        [8, 2n],
      ]),
    );
    expect(await eventsOf(chain, contract, send(...groups))).toEqual([
      { name: "UpdateScoresPacked", args: { stage: 1n, count: 3n, totalScore: 43n } },
    ]);
    expect(await rows()).toEqual([
      [4, 10n],
      [5, 0n],
      [6, 30n],
      [7, 1n],
      [8, 2n],
    ]);
  });

  it("accepts groups in ascending order only, so that no account occurs twice", async () => {
    for (const keys of [
      [0x11n, 0x11n],
      [0x11n, 0x12n],
      [0x12n, 0x11n],
      [0x21n, 0x11n],
      [0x11n, 0x21n, 0x2fn],
    ]) {
      const groups = keys.map((key) => ({ key, amounts: 0n }));
      await expectRevert(groups, "InvalidPackedScores", keys.at(-1));
    }
  });

  it("accepts no entry without a lane, and no amount in a lane it does not write", async () => {
    await expectRevert([{ key: 0x10n, amounts: 0n }], "InvalidPackedScores", 0x10n);
    await expectRevert([{ key: 0n, amounts: 0n }], "InvalidPackedScores", 0n);
    for (const [key, amounts] of [
      [0x11n, 1n << 64n],
      [0x12n, 1n],
      [0x14n, 1n << 255n],
      [0x17n, 1n << 192n],
      [0x18n, 1n << 191n],
    ] as const)
      await expectRevert([{ key, amounts }], "InvalidPackedScores", key);
  });

  it("accepts registered accounts only", async () => {
    await expectRevert([{ key: 1n, amounts: 1n }], "UnknownAccount", 0n);
    await expectRevert([{ key: 3n, amounts: 1n }], "UnknownAccount", 0n);
    await send({ key: 75n * 16n + 1n, amounts: 1n });
    for (const [key, id] of [
      [75n * 16n + 2n, 301n],
      [75n * 16n + 9n, 303n],
      [76n * 16n + 1n, 304n],
    ] as const)
      await expectRevert([{ key, amounts: 0n }], "UnknownAccount", id);
  });

  it("accepts no key that would reach another slot of the contract", async () => {
    const max = 2n ** 256n - 1n;
    const bad = { key: max, amounts: max };
    const highest = 2n ** 254n - 1n;
    await expectRevert([bad], "UnknownAccount", highest);
    await expectRevert([{ key: 0x11n, amounts: 1n }, bad, { key: 0x21n, amounts: 1n }], "UnknownAccount", highest);
    expect([await rows(), await contract.read.accountCount()]).toEqual([[], ACCOUNTS]);
  });
});
