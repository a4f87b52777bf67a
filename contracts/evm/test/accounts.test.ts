import { concat, encodeFunctionData, parseAbi, slice, zeroAddress, type Address } from "viem";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openChain, type Chain, type Contract } from "./chain.ts";
import { eventsOf, outcomeOf } from "./outcomeOf.ts";
import { someAddress, someAddresses } from "./someAddress.ts";

/** What only this contract has: ids, the zero address, and Solidity's calldata. */
describe("accounts", () => {
  let chain: Chain;
  let contract: Contract;
  let stranger: Address;
  let reset: () => Promise<void>;
  const [a, b, c] = someAddresses(3) as [Address, Address, Address];

  beforeAll(async () => {
    chain = await openChain();
    stranger = chain.accounts[1]!;
    contract = await chain.viem.deployContract("VipScore", [1n]);
    reset = await chain.snapshot();
  });
  beforeEach(async () => reset());

  const update = async (addrs: Address[], amounts: bigint[]) => contract.write.updateScores([1n, addrs, amounts]);
  const info = async () => {
    const { totalScore, scoreCount, revision } = (await contract.read.getStage([1n])) as Record<string, bigint>;
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
    expect(await eventsOf(chain, contract, contract.write[name]([1n, ...rows]))).toEqual([]);
    await chain.viem.assertions.revertWithCustomErrorWithArgs(
      contract.write[name]([2n, ...rows]),
      contract,
      "StageNotFound",
      [2n],
    );
    expect([await info(), await contract.read.accountCount()]).toEqual([[0n, 0n, 0n], 0]);
    expect(await contract.read.scores([1n, zeroAddress])).toEqual([false, 0n]);
  });

  it("do not include the zero address among other rows", async () => {
    expect(await eventsOf(chain, contract, update([zeroAddress, a, zeroAddress], [5n, 7n, 9n]))).toEqual([
      { name: "UpdateScore", args: { addr: a, stage: 1n, score: 7n, totalScore: 7n } },
    ]);
    expect([await info(), await contract.read.accountCount()]).toEqual([[7n, 1n, 1n], 1]);
  });

  it("have 160 bits, and amounts 64, also in raw calldata", async () => {
    await update(someAddresses(4), [1n, 2n, 3n, 4n]);
    const abi = parseAbi(["function updateScores(uint64 stage, uint256[] addrs, uint256[] amounts)"]);
    const raw = async (...rows: readonly (readonly [bigint, bigint])[]) => {
      const wide = encodeFunctionData({ abi, args: [1n, rows.map(([addr]) => addr), rows.map(([, n]) => n)] });
      const data = concat(["0x45a2b96b", slice(wide, 4)]);
      return outcomeOf(chain, contract, chain.wallet.sendTransaction({ to: contract.address, data }));
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
    await contract.write.registerAccounts([[c, a]]);
    await contract.write.updateScore([1n, someAddress(9), 1n]);
    expect(await contract.read.idsOf([[a, b, c, someAddress(9), someAddress(10)]])).toEqual([2, 1, 3, 4, 0]);
    expect([await contract.read.accountCount(), await info()]).toEqual([4, [3n, 3n, 2n]]);
  });

  it("are registered by members only, and not the zero address", async () => {
    await chain.viem.assertions.revertWithCustomErrorWithArgs(
      contract.write.registerAccounts([[a]], { account: stranger }),
      contract,
      "PermissionDenied",
      [stranger],
    );
    await chain.viem.assertions.revertWithCustomErrorWithArgs(
      contract.write.registerAccounts([[a, zeroAddress]]),
      contract,
      "InvalidAddress",
      [zeroAddress],
    );
    expect(await contract.read.accountCount()).toBe(0);
  });
});
