import { beforeAll, describe, expect, it } from "vitest";
import { encodeFunctionData, parseAbi, toHex } from "viem";
import type { Hex } from "viem";

import { openChain, someAddress } from "./chain.ts";
import type { Chain, Contract } from "./chain.ts";
import { accountCountSlot, accountSlot, countsSlot, presentSlot, stageSlot, wordSlot } from "./storageSlots.ts";

const ACCOUNTS = 1_000_000;
const PAGE = 1_000;
/** What a node grants a call when it grants the least: minievm caps estimates at this. */
const CALL_GAS = 10_000_000n;

/**
 * A stage with a million scores is written into storage directly, as far as the calls below look at it: paying for it
 * through the contract would take 54 billion gas.
 */
describe("a stage of a million accounts", () => {
  let chain: Chain;
  let contract: Contract;

  beforeAll(async () => {
    chain = await openChain();
    contract = await chain.deploy("VipScore", [1n]);
    await put(accountCountSlot(), BigInt(ACCOUNTS));
    await put(stageSlot(1n), 1n | (BigInt(ACCOUNTS) << 192n));
    const lastBucket = ACCOUNTS >> 8;
    const idsIn = (bucket: number) => Math.min(256, ACCOUNTS + 1 - bucket * 256) - (bucket === 0 ? 1 : 0);
    for (let span = 0; span <= lastBucket >> 4; span++) {
      let counts = 0n;
      for (let lane = 0; lane < 16 && span * 16 + lane <= lastBucket; lane++)
        counts |= BigInt(idsIn(span * 16 + lane)) << BigInt(16 * lane);
      await put(countsSlot(1n, span), counts);
    }
    await put(presentSlot(1n, 0), 2n ** 256n - 2n);
    for (let bucket = (ACCOUNTS - PAGE) >> 8; bucket <= lastBucket; bucket++)
      await put(presentSlot(1n, bucket), 2n ** BigInt(idsIn(bucket)) - 1n);
    for (let id = ACCOUNTS - PAGE; id <= ACCOUNTS; id++) await put(accountSlot(id), BigInt(someAddress(id)));
    for (let group = (ACCOUNTS - PAGE) >> 2; group <= ACCOUNTS >> 2; group++)
      await put(wordSlot(1n, group), 7n * (1n + 2n ** 64n + 2n ** 128n + 2n ** 192n));
  });

  const put = async (slot: Hex, word: bigint) =>
    chain.request("hardhat_setStorageAt", [contract.address, slot, toHex(word, { size: 32 })]);
  const gasOf = async (data: Hex) =>
    BigInt((await chain.request("eth_estimateGas", [{ to: contract.address, data }])) as Hex);

  it("is read at its far end by offset within 10,000,000 gas", async () => {
    const args = [1n, BigInt(ACCOUNTS - PAGE), BigInt(PAGE)] as const;
    const rows = await contract.read<{ addr: Hex; amount: bigint; index: bigint }[]>("getScoresPage", args);
    expect([rows.length, rows[0], rows[PAGE - 1]]).toEqual([
      PAGE,
      { addr: someAddress(ACCOUNTS - PAGE + 1), amount: 7n, index: BigInt(ACCOUNTS - PAGE + 1) },
      { addr: someAddress(ACCOUNTS), amount: 7n, index: BigInt(ACCOUNTS) },
    ]);
    const abi = parseAbi([
      "function getScoresPage(uint64, uint64, uint64)",
      "function getScores(uint64, uint64, uint64)",
    ]);
    for (const functionName of ["getScoresPage", "getScores"] as const) {
      const gas = await gasOf(encodeFunctionData({ abi, functionName, args }));
      console.log(`${functionName}, last ${PAGE} of ${ACCOUNTS}: ${gas} gas`);
      expect(gas).toBeLessThan(CALL_GAS);
    }
  });

  it("is read at its far end by id at the price of any page", async () => {
    const [rows, nextId] = await contract.read<[unknown[], number]>("getScoresFrom", [
      1n,
      ACCOUNTS - PAGE + 1,
      BigInt(PAGE),
    ]);
    expect([rows.length, nextId]).toEqual([PAGE, 0]);
    const abi = parseAbi(["function getScoresFrom(uint64, uint32, uint64)"]);
    const gas = await gasOf(encodeFunctionData({ abi, args: [1n, ACCOUNTS - PAGE + 1, BigInt(PAGE)] }));
    console.log(`getScoresFrom, last ${PAGE} of ${ACCOUNTS}: ${gas} gas`);
    expect(gas).toBeLessThan(5_000_000n);
  });

  it("costs a reader of an empty stage no more than one look at each span", async () => {
    await put(stageSlot(2n), 2n);
    const abi = parseAbi(["function getScoresFrom(uint64, uint32, uint64)"]);
    const gas = await gasOf(encodeFunctionData({ abi, args: [2n, 0, BigInt(PAGE)] }));
    console.log(`getScoresFrom, nothing among ${ACCOUNTS}: ${gas} gas`);
    expect(gas).toBeLessThan(2_000_000n);
  });

  it("costs no more than 10,000,000 gas where every row lies in a word of its own", async () => {
    const step = ACCOUNTS / PAGE;
    const counts = new Map<number, bigint>();
    await put(stageSlot(3n), 3n | (BigInt(PAGE) << 192n));
    for (let id = 1; id <= ACCOUNTS; id += step) {
      const bucket = id >> 8;
      counts.set(bucket >> 4, (counts.get(bucket >> 4) ?? 0n) | (1n << BigInt(16 * (bucket & 15))));
      await put(presentSlot(3n, bucket), 1n << BigInt(id & 255));
      await put(wordSlot(3n, id >> 2), 1n << BigInt(64 * (id & 3)));
      await put(accountSlot(id), BigInt(someAddress(id)));
    }
    for (const [span, lanes] of counts) await put(countsSlot(3n, span), lanes);
    const [rows, nextId] = await contract.read<[unknown[], number]>("getScoresFrom", [3n, 0, BigInt(PAGE)]);
    expect([rows.length, nextId]).toEqual([PAGE, 0]);
    const gas = await gasOf(
      encodeFunctionData({
        abi: parseAbi(["function getScoresFrom(uint64, uint32, uint64)"]),
        args: [3n, 0, BigInt(PAGE)],
      }),
    );
    console.log(`getScoresFrom, ${PAGE} lonely rows among ${ACCOUNTS}: ${gas} gas`);
    expect(gas).toBeLessThan(CALL_GAS);
  });
});
