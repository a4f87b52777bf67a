import { beforeAll, describe, expect, test } from "vitest";
import { JsonRpcFailure } from "@vipscore/localnet";
import { playHardhat } from "@vipscore/testkit/playHardhat";
import { openEvmRpc } from "../../src/evm/evmRpc.ts";
import {
  readEvmTransactions,
  type EvmTransactionsPart,
  type ReadEvmTransactionsOptions,
} from "../../src/evm/readEvmTransactions.ts";
import { LogEmitter, word } from "./logEmitter.ts";

const transferred = 2n ** 70n;
const logs = 300;
/** Creates a contract that reverts every call. */
const reverting = "0x625f5ffd5f526003601df3";

const chain = playHardhat();
let emitter: LogEmitter;
let reverter: string;
let sender: string;
let receiver: string;
/** A block with a call, a transfer, a call that fails and a creation; then 700 empty blocks; then a block with a call. */
let busy: number;
let head: number;

beforeAll(async () => {
  [sender = "", receiver = ""] = (await chain.request({ method: "eth_accounts" })) as readonly string[];
  emitter = await LogEmitter.deploy(chain);
  const receipt = await receiptOf(await send({ data: reverting }));
  reverter = receipt.contractAddress.toLowerCase();
  await chain.request({ method: "evm_setAutomine", params: [false] });
  const sent = [
    await send({ to: emitter.address, data: word(logs) + word(7).slice(2), gas: "0x989680" }),
    await send({ to: receiver, value: `0x${transferred.toString(16)}` }),
    await send({ to: reverter, data: "0xABCDEF0199", gas: "0x30000" }),
    await send({ data: reverting, gas: "0x30000" }),
    await send({ to: receiver, data: "0xabcdef", gas: "0x30000" }),
  ];
  await chain.request({ method: "hardhat_mine", params: ["0x1"] });
  await chain.request({ method: "evm_setAutomine", params: [true] });
  busy = Number((await receiptOf(sent[0] ?? "")).blockNumber);
  await chain.request({ method: "hardhat_mine", params: ["0x2bc"] });
  head = await emitter.emit(1, word(8));
});

function send(call: object): Promise<string> {
  return chain.request({ method: "eth_sendTransaction", params: [{ from: sender, ...call }] }) as Promise<string>;
}

async function receiptOf(hash: string) {
  const receipt = await chain.request({ method: "eth_getTransactionReceipt", params: [hash] });
  return receipt as { blockNumber: string; blockHash: string; contractAddress: string; gasUsed: string };
}

async function read(options: Partial<ReadEvmTransactionsOptions> = {}): Promise<readonly EvmTransactionsPart[]> {
  const range = { first: busy, last: head, signal: new AbortController().signal };
  const parts: EvmTransactionsPart[] = [];
  for await (const part of readEvmTransactions(openEvmRpc(chain.url), { ...range, ...options })) parts.push(part);
  return parts;
}

const transactionsOf = (parts: readonly EvmTransactionsPart[]) => parts.flatMap(({ transactions }) => transactions);
const called = (method: string): number => chain.calls.filter((name) => name === method).length;

test("all transactions come in order, also those that failed, with what came of them", async () => {
  const parts = await read();
  expect(parts.map(({ first }) => first)).toEqual([busy, ...parts.slice(0, -1).map(({ last }) => last + 1)]);
  expect(parts.length).toBeGreaterThan(1);
  const from = sender.toLowerCase();
  const place = { height: busy, from };
  const found = transactionsOf(parts);
  expect(found).toMatchObject([
    { ...place, to: emitter.address, selector: "0x00000000", value: 0n, success: true },
    { ...place, to: receiver.toLowerCase(), selector: "", value: transferred, success: true, gasUsed: 21_000n },
    { ...place, to: reverter, selector: "0xabcdef01", value: 0n, success: false },
    { ...place, to: undefined, selector: "", success: true },
    // Three bytes are no selector.
    { ...place, to: receiver.toLowerCase(), selector: "", success: true },
    { height: head, to: emitter.address, transactionIndex: 0, success: true },
  ]);
  expect(found.slice(0, 5).map(({ transactionIndex }) => transactionIndex)).toEqual([0, 1, 2, 3, 4]);
  for (const { txHash, gasUsed, height, timestamp } of found) {
    const receipt = await receiptOf(txHash);
    expect([gasUsed, height]).toEqual([BigInt(receipt.gasUsed), Number(receipt.blockNumber)]);
    const block = await chain.request({ method: "eth_getBlockByNumber", params: [receipt.blockNumber, false] });
    expect(Date.parse(timestamp) / 1000).toBe(Number((block as { timestamp: string }).timestamp));
  }
  expect(parts[0]?.firstHash).toBe((await receiptOf(found[0]?.txHash ?? "")).blockHash);
  expect(parts.at(-1)?.lastHash).toBe((await receiptOf(found.at(-1)?.txHash ?? "")).blockHash);
});

test("only calls of contracts, and only their receipts", async () => {
  const found = transactionsOf(await read({ contracts: [reverter as `0x${string}`] }));
  expect(found.map(({ to, transactionIndex }) => [to, transactionIndex])).toEqual([[reverter, 2]]);
  expect([called("eth_getTransactionReceipt"), called("eth_getBlockReceipts")]).toEqual([1, 0]);
});

describe("receipts", () => {
  const whole = () => read({ last: busy });
  const block = async (): Promise<readonly unknown[]> => {
    const found = transactionsOf(await whole());
    const params = found.map(({ txHash }) => [txHash]);
    chain.calls = [];
    return Promise.all(params.map((each) => chain.request({ method: "eth_getTransactionReceipt", params: each })));
  };

  test("come block by block if the node has the method", async () => {
    const expected = await whole();
    const receipts = await block();
    chain.instead = (method) => (method === "eth_getBlockReceipts" ? receipts : undefined);
    expect(await whole()).toEqual(expected);
    expect([called("eth_getTransactionReceipt"), called("eth_getBlockReceipts")]).toEqual([0, 1]);
  });

  test.each<[string, JsonRpcFailure]>([
    ["does not have the method", new JsonRpcFailure(-32601, "the method does not exist")],
    ["refuses a block", new JsonRpcFailure(-32000, "something is wrong")],
  ])("come one by one if the node %s", async (_, failure) => {
    const expected = await whole();
    chain.calls = [];
    chain.instead = (method) => (method === "eth_getBlockReceipts" ? Promise.reject(failure) : undefined);
    expect(await whole()).toEqual(expected);
    expect(called("eth_getTransactionReceipt")).toBe(5);
  });

  test.each<[string, (receipt: object) => unknown]>([
    ["that are missing", () => null],
    ["of another block", (receipt) => ({ ...receipt, blockHash: word(1) })],
  ])("%s end the reading", async (_, change) => {
    const receipts = await block();
    chain.instead = (method, [hash]) => {
      if (method === "eth_getBlockReceipts") return [];
      if (method !== "eth_getTransactionReceipt") return undefined;
      return change(
        receipts.find((receipt) => (receipt as { transactionHash: string }).transactionHash === hash) ?? {},
      );
    };
    await expect(whole()).rejects.toMatchObject({ code: "NODE_UNREACHABLE" });
  });

  test("with many logs, and a block with much data, are read in pieces", async () => {
    const expected = await whole();
    const receipts = (await block()) as readonly {
      readonly transactionHash: string;
      readonly logs: readonly object[];
    }[];
    const full = await chain.request({ method: "eth_getBlockByNumber", params: [`0x${busy.toString(16)}`, true] });
    const { transactions, ...rest } = full as { readonly transactions: readonly { readonly input: string }[] };
    const huge = "ab".repeat(2_500_000);
    const [log = {}] = receipts[0]?.logs ?? [];
    chain.instead = (method, [first]) => {
      if (method === "eth_getBlockByNumber" && Number(first) === busy) {
        // 25 MB, more than is read as a whole.
        return { ...rest, transactions: transactions.map((each) => ({ ...each, input: each.input + huge })) };
      }
      if (method !== "eth_getTransactionReceipt" && method !== "eth_getBlockReceipts") return undefined;
      const large = receipts.map((receipt, index) => ({
        ...receipt,
        logs: index === 0 ? Array.from({ length: 4 }, () => ({ ...log, data: `0x${huge}` })) : receipt.logs,
      }));
      return method === "eth_getBlockReceipts" ? large : large.find(({ transactionHash }) => transactionHash === first);
    };
    const found = transactionsOf(await whole());
    const selectors = found.map(({ selector }) => selector);
    // Longer data make selectors of what had fewer than 4 bytes.
    expect(selectors).toEqual(["0x00000000", "0xabababab", "0xabcdef01", "", "0xabcdefab"]);
    expect(found.map((each) => ({ ...each, selector: "" }))).toEqual(
      transactionsOf(expected).map((each) => ({ ...each, selector: "" })),
    );
  });
});

test("a block that the node does not have is an error, after the complete parts", async () => {
  const aborter = new AbortController();
  const parts: EvmTransactionsPart[] = [];
  const reading = (async () => {
    const options = { first: busy, last: head + 1, signal: aborter.signal };
    for await (const part of readEvmTransactions(openEvmRpc(chain.url), options)) parts.push(part);
  })();
  await expect(reading).rejects.toMatchObject({ code: "NODE_UNREACHABLE" });
  expect(parts).toHaveLength(1);
});
