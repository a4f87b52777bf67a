import { toFunctionSelector } from "viem";
import { beforeAll, expect, test } from "vitest";
import { playHardhat } from "@vipscore/testkit/playHardhat";
import { temporaryFolder } from "@vipscore/testkit/temporaryFolder";
import { collectSource, type CollectOptions } from "../collectSource.ts";

const all = 'kind = "transactions"';
const play = toFunctionSelector("play(uint256)");
/** Creates a contract that stops, or reverts, at every call. */
const creations = { game: "0x60005f5360015ff3", broken: "0x625f5ffd5f526003601df3" } as const;

const chain = playHardhat();
let sender: string;
let game: string;
let broken: string;
/** A block with two transactions, 600 empty ones, and a block with a creation. */
let window: readonly [first: number, last: number];

beforeAll(async () => {
  [sender = ""] = (await chain.request({ method: "eth_accounts" })) as readonly string[];
  game = (await send({ data: creations.game })).contractAddress.toLowerCase();
  broken = (await send({ data: creations.broken })).contractAddress.toLowerCase();
  const played = await send({ to: game, data: play + "7".padStart(64, "0"), value: "0xde0b6b3a7640000" });
  await send({ to: broken, data: play, gas: "0x30000" });
  await chain.request({ method: "hardhat_mine", params: ["0x258"] });
  const created = await send({ data: creations.game });
  window = [Number(played.blockNumber), Number(created.blockNumber)];
});

async function send(call: object) {
  const hash = await chain.request({ method: "eth_sendTransaction", params: [{ from: sender, ...call }] });
  const receipt = await chain.request({ method: "eth_getTransactionReceipt", params: [hash] });
  return receipt as { readonly contractAddress: string; readonly blockNumber: string; readonly gasUsed: string };
}

const collect = (source: string, options: Partial<CollectOptions> = {}) =>
  collectSource({ vm: "evm", rpcUrl: chain.url, chainId: "31337" }, source, { blocks: window, ...options });

test("each transaction has a row, also one that failed or created a contract", async () => {
  const { records } = await collect(all);
  const common = { sender: sender.toLowerCase(), tx_index: 0n, msg_index: 0n, tx_hash: expect.stringMatching(/^0x/) };
  const [first, last] = window.map(BigInt);
  expect(records).toMatchObject([
    { ...common, height: first, contract: game, function: play, value: 10n ** 18n, success: true },
    { ...common, contract: broken, function: play, value: 0n, success: false },
    { ...common, height: last, contract: "", function: "", value: 0n, success: true },
  ]);
  for (const { gas_used: gas, time } of records) {
    expect(gas).toBeGreaterThan(21_000n);
    expect(time).toBeGreaterThan(1_600_000_000n);
  }
});

test("only calls of contracts", async () => {
  const { records } = await collect(`${all}\ncontracts = ["0x${broken.slice(2).toUpperCase()}"]`);
  expect(records.map(({ contract }) => contract)).toEqual([broken]);
});

test("another folder, and a run after a failure in the middle, give the same rows", async () => {
  const whole = await collect(all);
  const folder = temporaryFolder();
  const middle = window[0] + 550;
  const isBlock = (method: string, isFull: unknown) => method === "eth_getBlockByNumber" && isFull === true;
  chain.instead = (method, [height, isFull]) => {
    if (isBlock(method, isFull) && Number(height) > middle) throw new Error("the node is out of order");
    return undefined;
  };
  await expect(collect(all, { folder })).rejects.toMatchObject({ code: "NODE_ERROR" });
  const read: number[] = [];
  chain.instead = (method, [height, isFull]) => {
    if (isBlock(method, isFull)) read.push(Number(height));
    return undefined;
  };
  expect((await collect(all, { folder })).digest).toBe(whole.digest);
  expect(Math.min(...read)).toBe(window[0] + 500);
  read.length = 0;
  expect((await collect(all, { folder })).digest).toBe(whole.digest);
  expect(read).toEqual([]);
});

test("a value beyond 38 digits is refused with its place", async () => {
  const params = [`0x${window[0].toString(16)}`, true];
  const block = (await chain.request({ method: "eth_getBlockByNumber", params })) as { transactions: object[] };
  const transactions = block.transactions.map((each) => ({ ...each, value: `0x${(10n ** 38n).toString(16)}` }));
  chain.instead = (method, [height, isFull]) =>
    method === "eth_getBlockByNumber" && height === params[0] && isFull === true
      ? { ...block, transactions }
      : undefined;
  const reading = collect(all, { blocks: [window[0], window[0]] });
  await expect(reading).rejects.toMatchObject({
    code: "SOURCE_INVALID",
    shortMessage: expect.stringMatching(/^found: transaction 0x[0-9a-f]{64} in block \d+: value/) as unknown,
  });
});

test.each(['["0x12zz"]', "[]", '"all"'])("contracts = %s is refused", async (contracts) => {
  await expect(collect(`${all}\ncontracts = ${contracts}`)).rejects.toMatchObject({ code: "POLICY_INVALID" });
});
