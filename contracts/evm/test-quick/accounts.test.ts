import { encodeFunctionData, parseAbi, zeroAddress, type Address } from "viem";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openChain, someAddress, someAddresses, type Contract } from "./chain.ts";

/** What only this contract has: ids, the zero address, and Solidity's calldata. */
describe("accounts", () => {
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

  const update = (addrs: Address[], amounts: bigint[]) => contract.send(member, "updateScores", [1n, addrs, amounts]);
  const info = async () => {
    const { totalScore, scoreCount, revision } = await contract.read<Record<string, bigint>>("getStage", [1n]);
    return [totalScore, scoreCount, revision];
  };

  it.each([
    [
      "updateScores",
      [
        [zeroAddress, zeroAddress],
        [5n, 9n],
      ],
    ],
    ["updateScore", [zeroAddress, 5n]],
    ["increaseScore", [zeroAddress, 5n]],
    ["decreaseScore", [zeroAddress, 5n]],
  ])("do not include the zero address, which %s skips as if it had no row", async (name, rows) => {
    expect(await contract.send(member, name, [1n, ...rows])).toEqual({
      gasUsed: expect.any(BigInt) as bigint,
      events: [],
    });
    expect((await contract.send(member, name, [2n, ...rows])).error).toEqual({ name: "StageNotFound", args: [2n] });
    expect([await info(), await contract.read("accountCount")]).toEqual([[0n, 0n, 0n], 0]);
    expect(await contract.read("scores", [1n, zeroAddress])).toEqual([false, 0n]);
  });

  it("do not include the zero address among other rows", async () => {
    const { events } = await update([zeroAddress, a, zeroAddress], [5n, 7n, 9n]);
    expect(events).toEqual([{ name: "UpdateScore", args: { addr: a, stage: 1n, score: 7n, totalScore: 7n } }]);
    expect([await info(), await contract.read("accountCount")]).toEqual([[7n, 1n, 1n], 1]);
  });

  it("have 160 bits, and amounts 64, also in raw calldata", async () => {
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
    expect(await info()).toEqual([18n, 4n, 2n]);
  });

  it("are numbered once, in order of first use", async () => {
    await update([b, a], [1n, 1n]);
    await contract.send(member, "registerAccounts", [[c, a]]);
    await contract.send(member, "updateScore", [1n, someAddress(9), 1n]);
    expect(await contract.read("idsOf", [[a, b, c, someAddress(9), someAddress(10)]])).toEqual([2, 1, 3, 4, 0]);
    expect([await contract.read("accountCount"), await info()]).toEqual([4, [3n, 3n, 2n]]);
  });

  it("are registered by members only, and not the zero address", async () => {
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
