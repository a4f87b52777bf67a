import { encodeFunctionData, parseAbi, zeroAddress, type Address } from "viem";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openChain, someAddress, someAddresses, type Contract } from "./chain.ts";

const U64_MAX = 2n ** 64n - 1n;

describe("writing scores", () => {
  let contract: Contract;
  let member: Address;
  let stranger: Address;
  let reset: () => Promise<void>;
  const [a, b, c] = someAddresses(3) as [Address, Address, Address];

  beforeAll(async () => {
    const chain = await openChain();
    [member, stranger] = chain.accounts as [Address, Address];
    contract = await chain.deploy("VipScore", [1n]);
    reset = await chain.snapshot();
  });
  beforeEach(async () => reset());

  const update = (addrs: Address[], amounts: bigint[], stage = 1n, from = member) =>
    contract.send(from, "updateScores", [stage, addrs, amounts]);
  const score = async (addr: Address, stage = 1n) => contract.read<[boolean, bigint]>("scores", [stage, addr]);
  const total = async (stage = 1n) => (await contract.read<[bigint, bigint, boolean]>("stages", [stage]))[1];
  const count = async (stage = 1n) => contract.read<bigint>("scoreCount", [stage]);

  it("emits one event a row with the running total", async () => {
    const { events } = await update([a, b], [5n, 7n]);
    expect(events).toEqual([
      { name: "UpdateScore", args: { addr: a, stage: 1n, score: 5n, totalScore: 5n } },
      { name: "UpdateScore", args: { addr: b, stage: 1n, score: 7n, totalScore: 12n } },
    ]);
    expect(await score(a)).toEqual([true, 5n]);
    expect([await total(), await count()]).toEqual([12n, 2n]);
  });

  it("keeps 0, 2^53 + 1 and the largest u64 exactly", async () => {
    await update([a, b], [0n, 2n ** 53n + 1n]);
    expect(await score(a)).toEqual([true, 0n]);
    expect(await score(b)).toEqual([true, 9007199254740993n]);
    await update([a, b], [U64_MAX, 0n]).then(({ error }) => expect(error?.name).toBe("TotalOverflow"));
    await update([b, a], [0n, U64_MAX]);
    expect(await score(a)).toEqual([true, U64_MAX]);
    expect(await score(b)).toEqual([true, 0n]);
    expect([await total(), await count()]).toEqual([U64_MAX, 2n]);
  });

  it("keeps neighbors in a word independent", async () => {
    const addrs = someAddresses(9);
    await update(
      addrs,
      addrs.map((_, i) => 2n ** 60n - BigInt(i)),
    );
    await update([addrs[3]!], [1n]);
    expect(await Promise.all(addrs.map(async (addr) => (await score(addr))[1]))).toEqual(
      addrs.map((_, i) => (i === 3 ? 1n : 2n ** 60n - BigInt(i))),
    );
  });

  it("counts only the last of two rows for one account", async () => {
    const { events } = await update([a, b, a], [5n, 7n, 2n]);
    expect(events.map(({ args }) => args["totalScore"])).toEqual([5n, 12n, 9n]);
    expect([await total(), await count()]).toEqual([9n, 2n]);
  });

  it("skips the zero address in a batch", async () => {
    const { events } = await update([zeroAddress, a, zeroAddress], [5n, 7n, 9n]);
    expect(events).toEqual([{ name: "UpdateScore", args: { addr: a, stage: 1n, score: 7n, totalScore: 7n } }]);
    expect([await total(), await count(), await contract.read("accountCount")]).toEqual([7n, 1n, 1]);
    expect(await score(zeroAddress)).toEqual([false, 0n]);
  });

  it.each(["updateScore", "increaseScore", "decreaseScore"])("skips the zero address in %s", async (name) => {
    expect(await contract.send(member, name, [1n, zeroAddress, 5n])).toEqual({
      gasUsed: expect.any(BigInt) as bigint,
      events: [],
    });
    expect((await contract.send(member, name, [2n, zeroAddress, 5n])).error).toEqual({
      name: "StageNotFound",
      args: [2n],
    });
    expect(await contract.read("accountCount")).toBe(0);
  });

  it("accepts an empty batch on an open stage only", async () => {
    expect(await update([], [])).toEqual({ gasUsed: expect.any(BigInt) as bigint, events: [] });
    expect((await update([], [], 2n)).error).toEqual({ name: "StageNotFound", args: [2n] });
    await contract.send(member, "finalizeStage", [1n]);
    expect((await update([], [])).error).toEqual({ name: "StageFinalized", args: [1n] });
  });

  it("checks the caller, then the lengths, then the stage", async () => {
    expect((await update([a], [], 9n, stranger)).error).toEqual({ name: "PermissionDenied", args: [stranger] });
    expect((await update([a], [], 9n)).error).toEqual({ name: "AddrsAndAmountsLengthMistmatch", args: [] });
    expect((await update([a], [1n], 0n)).error).toEqual({ name: "StageNotFound", args: [0n] });
    expect((await update([a], [1n], U64_MAX)).error).toEqual({ name: "StageNotFound", args: [U64_MAX] });
  });

  it.each(["updateScore", "increaseScore", "decreaseScore"])("checks the caller and the stage in %s", async (name) => {
    expect((await contract.send(stranger, name, [9n, a, 1n])).error).toEqual({
      name: "PermissionDenied",
      args: [stranger],
    });
    expect((await contract.send(member, name, [9n, a, 1n])).error).toEqual({ name: "StageNotFound", args: [9n] });
    await contract.send(member, "finalizeStage", [1n]);
    expect((await contract.send(member, name, [1n, a, 1n])).error).toEqual({ name: "StageFinalized", args: [1n] });
  });

  it("updates, increases and decreases one score", async () => {
    for (const [name, amount, after] of [
      ["updateScore", 10n, 10n],
      ["increaseScore", 5n, 15n],
      ["decreaseScore", 15n, 0n],
      ["increaseScore", U64_MAX, U64_MAX],
      ["updateScore", 3n, 3n],
    ] as const) {
      const { events } = await contract.send(member, name, [1n, a, amount]);
      expect(events).toEqual([{ name: "UpdateScore", args: { addr: a, stage: 1n, score: after, totalScore: after } }]);
    }
    expect([await total(), await count()]).toEqual([3n, 1n]);
  });

  it("gives an account a score of 0 when 0 is added or subtracted", async () => {
    await contract.send(member, "increaseScore", [1n, a, 0n]);
    await contract.send(member, "decreaseScore", [1n, b, 0n]);
    expect([await score(a), await score(b), await score(c)]).toEqual([
      [true, 0n],
      [true, 0n],
      [false, 0n],
    ]);
    expect(await count()).toBe(2n);
  });

  it("refuses to exceed u64 and writes nothing", async () => {
    await update([a, b], [U64_MAX - 10n, 10n]);
    expect((await contract.send(member, "increaseScore", [1n, a, 11n])).error).toEqual({
      name: "ScoreOverflow",
      args: [1n, a],
    });
    for (const [name, addr, amount] of [
      ["increaseScore", b, 1n],
      ["updateScore", b, 11n],
      ["updateScore", c, 1n],
    ] as const) {
      expect((await contract.send(member, name, [1n, addr, amount])).error).toEqual({
        name: "TotalOverflow",
        args: [1n],
      });
    }
    // The total exceeds u64 after the second row and would fit again after the third.
    expect((await update([c, a], [1n, 0n])).error).toEqual({ name: "TotalOverflow", args: [1n] });
    expect([await total(), await count(), await score(c), await contract.read("accountCount")]).toEqual([
      U64_MAX,
      2n,
      [false, 0n],
      2,
    ]);
  });

  it("refuses to subtract more than the score", async () => {
    await update([a, b], [5n, 100n]);
    expect((await contract.send(member, "decreaseScore", [1n, a, 6n])).error).toEqual({
      name: "InsufficientScore",
      args: [1n, a, 5n, 6n],
    });
    expect((await contract.send(member, "decreaseScore", [1n, c, 1n])).error).toEqual({
      name: "InsufficientScore",
      args: [1n, c, 0n, 1n],
    });
    expect([await score(a), await score(c), await total()]).toEqual([[true, 5n], [false, 0n], 105n]);
  });

  it("refuses amounts above u64 and addresses above 160 bits in raw calldata", async () => {
    await update(someAddresses(4), [1n, 2n, 3n, 4n]);
    const abi = parseAbi(["function updateScores(uint64 stage, uint256[] addrs, uint256[] amounts)"]);
    const selector = "0x45a2b96b";
    const raw = async (...rows: readonly (readonly [bigint, bigint])[]) => {
      const data = encodeFunctionData({ abi, args: [1n, rows.map(([addr]) => addr), rows.map(([, n]) => n)] });
      return contract.sendData(member, `${selector}${data.slice(10)}`);
    };
    const good = [BigInt(a), 9n] as const;
    for (const dirty of [
      [BigInt(a), 2n ** 64n],
      // The total after this row would be small again, modulo 2^256.
      [BigInt(a), 2n ** 256n - 5n],
      [BigInt(a) | (1n << 160n), 1n],
      [BigInt(a) | (1n << 255n), 1n],
      [1n << 160n, 1n],
      [0n, 2n ** 64n],
    ] as const) {
      for (const rows of [[dirty], [good, dirty], [dirty, good]])
        expect((await raw(...rows)).error).toEqual({ name: "", args: [] });
    }
    expect((await raw(good)).error).toBeUndefined();
    expect([await total(), await count()]).toEqual([18n, 4n]);
  });

  it("keeps stages apart", async () => {
    await update([a, b], [5n, 6n]);
    await contract.send(member, "finalizeStage", [1n]);
    await update([b], [7n], 2n);
    expect([await score(a), await score(b), await score(a, 2n), await score(b, 2n)]).toEqual([
      [true, 5n],
      [true, 6n],
      [false, 0n],
      [true, 7n],
    ]);
    expect([await total(), await total(2n), await count(), await count(2n)]).toEqual([11n, 7n, 2n, 1n]);
  });

  it("numbers accounts once, in order of first use", async () => {
    await update([b, a], [1n, 1n]);
    await contract.send(member, "registerAccounts", [[c, a]]);
    await contract.send(member, "updateScore", [1n, someAddress(9), 1n]);
    expect(await contract.read("idsOf", [[a, b, c, someAddress(9), someAddress(10)]])).toEqual([2, 1, 3, 4, 0]);
    expect([
      await contract.read("accountOf", [3]),
      await contract.read("accountOf", [0]),
      await contract.read("accountOf", [5]),
    ]).toEqual([c, zeroAddress, zeroAddress]);
    expect([await contract.read("accountCount"), await count()]).toEqual([4, 3n]);
  });

  it("registers for members only, and not the zero address", async () => {
    expect((await contract.send(stranger, "registerAccounts", [[a]])).error).toEqual({
      name: "PermissionDenied",
      args: [stranger],
    });
    expect((await contract.send(member, "registerAccounts", [[a, zeroAddress]])).error).toEqual({
      name: "InvalidAddress",
      args: [zeroAddress],
    });
    expect(await contract.read("accountCount")).toBe(0);
  });
});
