import { zeroAddress, type Address } from "viem";
import { beforeAll, describe, expect, it } from "vitest";
import { openChain, type Chain, type Contract } from "./chain.ts";
import { packGroups } from "./packGroups.ts";
import { someAddresses } from "./someAddress.ts";

const U64_MAX = 2n ** 64n - 1n;
const ACCOUNTS = 9_000;
/** Boundaries of words, buckets (256) and spans (4096), and isolated accounts between them. */
const SPARSE = [1, 3, 4, 255, 256, 257, 511, 1024, 4095, 4096, 4097, 8191, 8192, 9000];

interface Row {
  readonly addr: Address;
  readonly amount: bigint;
  readonly index: bigint;
}

interface IdRow {
  readonly id: number;
  readonly addr: Address;
  readonly amount: bigint;
}

const ZERO: Row = { addr: zeroAddress, amount: 0n, index: 0n };

describe("pages", () => {
  let chain: Chain;
  let contract: Contract;
  const addrs = someAddresses(ACCOUNTS);
  const sparse = SPARSE.map((id, i) => ({ addr: addrs[id - 1], amount: BigInt(id) * 10n, index: BigInt(i + 1) }));
  const dense = addrs.map((addr, i) => ({ addr, amount: BigInt(i), index: BigInt(i + 1) }));

  beforeAll(async () => {
    chain = await openChain();
    contract = await chain.viem.deployContract("VipScore", [1n]);
    for (let i = 0; i < ACCOUNTS; i += 3_000) await contract.write.registerAccounts([addrs.slice(i, i + 3_000)]);
    const few = new Map(SPARSE.map((id) => [id, BigInt(id) * 10n]));
    await contract.write.updateScoresPacked([1n, packGroups(few)]);
    await contract.write.finalizeStage([1n]);
    const all = new Map(addrs.map((_, i) => [i + 1, BigInt(i)]));
    await contract.write.updateScoresPacked([2n, packGroups(all)]);
  });

  const padded = async (stage: bigint, offset: bigint, limit: bigint) =>
    (await contract.read.getScores([stage, offset, limit])) as Row[];
  /** The rows of a page without its padding. */
  const page = async (stage: bigint, offset: bigint, limit: bigint) =>
    (await padded(stage, offset, limit)).filter(({ index }) => index !== 0n);
  const from = async (stage: bigint, id: number, limit: bigint) =>
    (await contract.read.getScoresFrom([stage, id, limit])) as [IdRow[], number];

  it("are ordered by account id, even across empty words, buckets and spans", async () => {
    expect(await page(1n, 0n, 1000n)).toEqual(sparse);
    expect((await from(1n, 0, 1000n))[0].map(({ id }) => id)).toEqual(SPARSE);
  });

  it("show an account that is the last one and the first of its span", async () => {
    const small = await (await openChain()).viem.deployContract("VipScore", [1n]);
    await small.write.registerAccounts([addrs.slice(0, 4096)]);
    await small.write.updateScores([1n, [addrs[4095]], [7n]]);
    expect(await small.read.getScores([1n, 0n, 1n])).toEqual([{ addr: addrs[4095], amount: 7n, index: 1n }]);
  });

  it.each([1n, 2n, 3n, 13n, 14n, 15n])("add up to the whole stage in steps of %d", async (limit) => {
    const pages: Row[] = [];
    for (let offset = 0n; offset < 14n; offset += limit) pages.push(...(await page(1n, offset, limit)));
    expect(pages).toEqual(sparse);

    const rows: IdRow[] = [];
    let next = 0;
    do {
      const [some, nextId] = await from(1n, next, limit);
      expect(some.length).toBe(nextId === 0 ? 14 - rows.length : Number(limit));
      rows.push(...some);
      next = nextId;
    } while (next !== 0);
    expect(rows.map(({ addr, amount }) => ({ addr, amount }))).toEqual(
      sparse.map(({ addr, amount }) => ({ addr, amount })),
    );
  });

  it.each([0n, 254n, 255n, 256n, 4094n, 4095n, 4096n, 8190n, 8500n, 8999n])(
    "start at offset %d of a full stage",
    async (offset) => {
      const expected = dense.slice(Number(offset), Number(offset) + 1000);
      expect(await page(2n, offset, 1000n)).toEqual(expected);
      expect((await from(2n, Number(offset) + 1, 1000n))[0]).toEqual(
        expected.map(({ addr, amount, index }) => ({ id: Number(index), addr, amount })),
      );
    },
  );

  it("start at any id", async () => {
    expect(await from(1n, 5, 2n)).toEqual([
      [
        { id: 255, addr: addrs[254], amount: 2550n },
        { id: 256, addr: addrs[255], amount: 2560n },
      ],
      257,
    ]);
    expect((await from(1n, 9000, 5n))[0].map(({ id }) => id)).toEqual([9000]);
    expect(await from(1n, 9001, 5n)).toEqual([[], 0]);
    expect(await from(1n, 2 ** 32 - 1, 5n)).toEqual([[], 0]);
  });

  it("are short at the end and empty past it", async () => {
    expect((await from(1n, 8192, 5n))[0]).toHaveLength(2);
    expect(await from(9n, 0, 5n)).toEqual([[], 0]);
  });

  it("have at most 1,000 rows by id, and return the start of the next one", async () => {
    const [rows, nextId] = await from(2n, 1, U64_MAX);
    expect([rows.length, nextId]).toEqual([1000, 1001]);
  });

  it("have no rows for a limit of 0, and return the first id", async () => {
    for (const [stage, fromId, nextId] of [
      [1n, 0, 1],
      [1n, 5, 255],
      [1n, 9000, 9000],
      [1n, 9001, 0],
      [2n, 4096, 4096],
      [9n, 0, 0],
    ] as const)
      expect(await from(stage, fromId, 0n)).toEqual([[], nextId]);
  });

  it("are padded with zero rows by getScores", async () => {
    expect(await padded(1n, 12n, 4n)).toEqual([...sparse.slice(12), ZERO, ZERO]);
    expect(await padded(1n, U64_MAX, 2n)).toEqual([ZERO, ZERO]);
    expect(await padded(9n, 0n, 1n)).toEqual([ZERO]);
    expect(await padded(1n, 0n, 0n)).toEqual([]);
    expect(await padded(2n, U64_MAX, U64_MAX)).toEqual(Array.from({ length: 5000 }, () => ZERO));
    expect(await padded(2n, 0n, 5000n)).toEqual(dense.slice(0, 5000));
  });

  it("lose no row for a reader of getScores that steps by a limit above 5,000", async () => {
    const whole = await padded(1n, 0n, U64_MAX);
    expect([whole.length, whole[13], whole[14]]).toEqual([5000, sparse[13], ZERO]);
    expect((await padded(2n, 4000n, 6000n)).map(({ index }) => index)).toEqual(
      dense.slice(4000).map(({ index }) => index),
    );
    await chain.viem.assertions.revertWithCustomErrorWithArgs(padded(2n, 3999n, 6000n), contract, "PageTooLarge", [
      6000n,
      5000n,
    ]);
  });

  it("agree with the ids of accounts", async () => {
    expect(await contract.read.idsOf([[addrs[8999], zeroAddress, addrs[0]]])).toEqual([9000, 0, 1]);
  });
});
