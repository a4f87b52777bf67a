import type { Address } from "viem";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openChain, someAddresses, type Contract } from "./chain.ts";
import { packGroups } from "./packGroups.ts";

const U64_MAX = 2n ** 64n - 1n;
const ACCOUNTS = 300;

describe("packed batches", () => {
  let contract: Contract;
  let member: Address;
  let reset: () => Promise<void>;
  const addrs = someAddresses(ACCOUNTS);

  beforeAll(async () => {
    const chain = await openChain();
    [member] = chain.accounts as [Address];
    contract = await chain.deploy("VipScore", [1n]);
    await contract.send(member, "registerAccounts", [addrs]);
    reset = await chain.snapshot();
  });
  beforeEach(async () => reset());

  const send = (groups: readonly { key: bigint; amounts: bigint }[]) =>
    contract.send(member, "updateScoresPacked", [1n, groups]);
  const rows = async () =>
    (await contract.read<[{ id: number; amount: bigint }[], number]>("getScoresFrom", [1n, 0, 1000n]))[0].map(
      ({ id, amount }) => [id, amount] as const,
    );

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
    const { events } = await send(packGroups(scores));
    expect(events).toEqual([
      { name: "UpdateScoresPacked", args: { stage: 1n, count: 10n, totalScore: U64_MAX - 967n } },
    ]);
    expect(await rows()).toEqual([...scores]);
    expect(await contract.read("getStage", [1n])).toMatchObject({ totalScore: U64_MAX - 967n, scoreCount: 10n });
  });

  it("overwrites only the selected lanes", async () => {
    await send(
      packGroups(
        new Map([
          [4, 10n],
          [5, 20n],
          [6, 30n],
          [7, 40n],
        ]),
      ),
    );
    const { events } = await send(
      packGroups(
        new Map([
          [5, 0n],
          [7, 1n],
          [8, 2n],
        ]),
      ),
    );
    expect(events[0]?.args).toEqual({ stage: 1n, count: 3n, totalScore: 43n });
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
      const { error } = await send(keys.map((key) => ({ key, amounts: 0n })));
      expect(error).toEqual({ name: "InvalidPackedScores", args: [keys.at(-1)] });
    }
  });

  it("accepts no entry without a lane, and no amount in a lane it does not write", async () => {
    expect((await send([{ key: 0x10n, amounts: 0n }])).error).toEqual({ name: "InvalidPackedScores", args: [0x10n] });
    expect((await send([{ key: 0n, amounts: 0n }])).error).toEqual({ name: "InvalidPackedScores", args: [0n] });
    for (const [key, amounts] of [
      [0x11n, 1n << 64n],
      [0x12n, 1n],
      [0x14n, 1n << 255n],
      [0x17n, 1n << 192n],
      [0x18n, 1n << 191n],
    ] as const) {
      expect((await send([{ key, amounts }])).error).toEqual({ name: "InvalidPackedScores", args: [key] });
    }
  });

  it("accepts registered accounts only", async () => {
    expect((await send([{ key: 1n, amounts: 1n }])).error).toEqual({ name: "UnknownAccount", args: [0n] });
    expect((await send([{ key: 3n, amounts: 1n }])).error).toEqual({ name: "UnknownAccount", args: [0n] });
    expect((await send([{ key: 75n * 16n + 1n, amounts: 1n }])).error).toBeUndefined();
    for (const [key, id] of [
      [75n * 16n + 2n, 301n],
      [75n * 16n + 9n, 303n],
      [76n * 16n + 1n, 304n],
    ] as const) {
      expect((await send([{ key, amounts: 0n }])).error).toEqual({ name: "UnknownAccount", args: [id] });
    }
  });

  it("accepts no key that would reach another slot of the contract", async () => {
    const max = 2n ** 256n - 1n;
    expect((await send([{ key: max, amounts: max }])).error?.name).toBe("UnknownAccount");
    const good = { key: 0x21n, amounts: 1n };
    expect((await send([{ key: 0x11n, amounts: 1n }, { key: max, amounts: max }, good])).error).toEqual({
      name: "UnknownAccount",
      args: [2n ** 254n - 1n],
    });
    expect([await rows(), await contract.read("accountCount")]).toEqual([[], ACCOUNTS]);
  });
});
