import type { Address, Hash } from "viem";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openChain, type Chain, type Contract } from "./chain.ts";
import { someAddresses } from "./someAddress.ts";

const FLOOD = 5_000;
/** The lowest gas limit of a node for calls: minievm caps estimates at this. */
const CALL_GAS = 10_000_000n;

describe("a list flooded with 5,000 members by a thief", () => {
  let chain: Chain;
  let contract: Contract;
  let owner: Address;
  let thief: Address;
  let reset: () => Promise<void>;
  const flood = someAddresses(FLOOD);

  beforeAll(async () => {
    chain = await openChain();
    [owner, thief] = chain.accounts as [Address, Address];
    contract = await chain.viem.deployContract("VipScore", [1n]);
    // As costly as adding them one by one, in fewer transactions; the thief's own transactions would leave the same list.
    await contract.write.setAllowList([[owner, thief, ...flood.slice(0, 2_500)]]);
    for (const addr of flood.slice(2_500)) await contract.write.addAllowList([addr], { account: thief });
    reset = await chain.snapshot();
  });
  beforeEach(async () => reset());

  const gasUsed = async (sent: Promise<Hash>) =>
    (await chain.reader.getTransactionReceipt({ hash: await sent })).gasUsed;
  const page = async (offset: bigint, limit: bigint) =>
    (await contract.read.getAllowList([offset, limit])) as readonly Address[];
  const expectRevert = async (call: Promise<Hash>) =>
    chain.viem.assertions.revertWithCustomErrorWithArgs(call, contract, "PermissionDenied", [thief]);

  it("is counted, and read in pages of up to 1,000, each member once", async () => {
    expect(await contract.read.allowListCount()).toBe(BigInt(FLOOD + 2));
    const pages: (readonly Address[])[] = [];
    for (let offset = 0n; offset === BigInt(pages.length) * 1000n; offset += BigInt(pages.at(-1)!.length))
      pages.push(await page(offset, 2n ** 256n - 1n));
    expect(pages.map(({ length }) => length)).toEqual([1000, 1000, 1000, 1000, 1000, 2]);
    expect(new Set(pages.flat())).toEqual(new Set([owner, thief, ...flood]));
    expect(await page(5_000n, 1n)).toHaveLength(1);
    expect(await page(BigInt(FLOOD + 2), 5n)).toEqual([]);
    expect(await page(2n ** 256n - 1n, 2n ** 256n - 1n)).toEqual([]);
    const farPage = { ...contract, functionName: "getAllowList", args: [4_000n, 1_000n], gas: CALL_GAS } as const;
    expect(await chain.reader.estimateContractGas(farPage)).toBeLessThan(3_500_000n);
  });

  it("takes and removes a member at the usual cost", async () => {
    expect(await gasUsed(contract.write.removeAllowList([thief]))).toBeLessThan(60_000n);
    await expectRevert(contract.write.addAllowList([thief], { account: thief }));
    expect(await contract.read.allowListCount()).toBe(BigInt(FLOOD + 1));
  });

  it("is replaced at the cost of the new list", async () => {
    expect(await gasUsed(contract.write.setAllowList([[owner]]))).toBeLessThan(130_000n);
    expect(await page(0n, 1_000n)).toEqual([owner]);
    for (const addr of [thief, flood[0], flood[FLOOD - 1]]) expect(await contract.read.allowList([addr])).toBe(false);
    await expectRevert(contract.write.updateScore([1n, thief, 1n], { account: thief }));
    // A former member can become one again.
    await contract.write.addAllowList([flood[0]]);
    expect(await page(0n, 1_000n)).toEqual([owner, flood[0]]);
  });
});
