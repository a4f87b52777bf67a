import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NodeError } from "@vipscore/core";
import { fuzzRuns } from "@vipscore/testkit/fuzzRuns";
import { fuzzSeed } from "@vipscore/testkit/fuzzSeed";
import { playNode, type SeenCall } from "@vipscore/testkit/scriptedServer";
import { openEvmRpc } from "../../src/evm/evmRpc.ts";
import { readEvmEvents } from "../../src/evm/readEvmEvents.ts";
import { readEvmTransactions } from "../../src/evm/readEvmTransactions.ts";
import { word } from "./logEmitter.ts";

const { signal } = new AbortController();
const [contract, stranger] = [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`] as const;
const topic = word(0xaed);
const last = 12;

interface Log {
  readonly blockNumber: string;
  readonly blockHash: string;
  readonly transactionIndex: string;
  readonly transactionHash: string;
  readonly logIndex: string;
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly removed: boolean;
}

const hex = (count: number) => `0x${count.toString(16)}`;

/** The logs of a chain: in each even block, two of one transaction and one of another. */
const logs: readonly Log[] = [2, 4, 6, 8, 10, 12].flatMap((height) =>
  [0, 0, 1].map((transaction, index) => ({
    blockNumber: hex(height),
    blockHash: word(height),
    transactionIndex: hex(transaction),
    transactionHash: word(1000 * height + transaction),
    logIndex: hex(index),
    address: contract,
    topics: [topic],
    // The first two of a block differ in nothing but their index.
    data: word(Math.max(1, index)),
    removed: false,
  })),
);
const places = logs.map(({ blockNumber, logIndex }) => [Number(blockNumber), Number(logIndex)]);

/** What a node makes of the logs that it should answer with. */
type Change = (found: readonly Log[]) => readonly Log[];

/** Starts a node that changes some answers about logs: `changes` has one for each request, and then none. */
async function open(changes: Iterable<Change | undefined>, block: (height: number) => object = () => ({})) {
  const coming = changes[Symbol.iterator]();
  const { url } = await playNode(({ method, params: [first] }: SeenCall) => {
    if (method === "eth_getBlockByNumber") {
      const height = Number(first);
      const head = { number: first, hash: word(height), timestamp: hex(1_700_000_000 + height), transactions: [] };
      return { result: { ...head, ...block(height) } };
    }
    if (method === "eth_getTransactionReceipt") {
      const ofTransaction = logs.filter(({ transactionHash }) => transactionHash === first);
      return { result: ofTransaction.length === 0 ? null : { logs: ofTransaction } };
    }
    if (method !== "eth_getLogs") return { error: { code: -32601, message: "the method does not exist" } };
    const { fromBlock, toBlock } = first as { readonly fromBlock: string; readonly toBlock: string };
    const asked = logs.filter(
      ({ blockNumber: at }) => Number(at) >= Number(fromBlock) && Number(at) <= Number(toBlock),
    );
    const change: Change | undefined = coming.next().value;
    return { result: change?.(asked) ?? asked };
  });
  return openEvmRpc(url, { patienceMs: 0 });
}

async function read(rpc: Awaited<ReturnType<typeof open>>): Promise<unknown> {
  const found: unknown[] = [];
  for await (const { events } of readEvmEvents(rpc, {
    addresses: [contract],
    topics: [topic],
    first: 1,
    last,
    signal,
  })) {
    found.push(...events.map(({ height, logIndex }) => [height, logIndex]));
  }
  return found;
}

function* always(change: Change): Generator<Change, undefined> {
  for (;;) yield change;
}

/** Changes one log of an answer, and puts others beside it. */
const at =
  (index: number, change: (log: Log) => readonly Log[]): Change =>
  (found) =>
    found.flatMap((log, place) => (place === index % found.length ? change(log) : [log]));

const lies: Readonly<Record<string, (index: number) => Change>> = {
  "the same log twice": (index) => at(index, (log) => [log, log]),
  "the same log twice, far apart": (index) => (found) => [...found, ...found.slice(index % found.length).slice(0, 1)],
  "the same log twice, of two transactions": (index) => (found) => {
    const [log] = found.slice(index % found.length);
    return log === undefined ? found : [...found, { ...log, transactionHash: word(99) }];
  },
  "the same log under another index": (index) => at(index, (log) => [log, { ...log, logIndex: "0x7" }]),
  "the same log under another index, far apart": (index) => (found) => [
    ...found,
    ...found
      .slice(index % found.length)
      .slice(0, 1)
      .map((log) => ({ ...log, logIndex: "0x7" })),
  ],
  "the same log under another index and place": (index) =>
    at(index, (log) => [log, { ...log, logIndex: "0x7", transactionIndex: "0x7" }]),
  "the same log under another index of another transaction": (index) => (found) => {
    const log = found[index % found.length];
    const other = found.find(({ blockHash, transactionHash }) => {
      return blockHash === log?.blockHash && transactionHash !== log.transactionHash;
    });
    if (log === undefined || other === undefined) return found;
    const { transactionHash, transactionIndex } = other;
    return [...found, { ...log, transactionHash, transactionIndex, logIndex: "0x7" }];
  },
  "the same log under another index of a transaction that does not exist": (index) =>
    at(index, (log) => [log, { ...log, logIndex: "0x7", transactionIndex: "0x7", transactionHash: word(99) }]),
  "the same log in another block": (index) => (found) => {
    const log = found[index % found.length];
    const other = found.find(({ blockHash }) => blockHash !== log?.blockHash);
    if (log === undefined || other === undefined) return found;
    const { blockNumber, blockHash } = other;
    return [...found, { ...log, blockNumber, blockHash, logIndex: "0x7" }];
  },
  "a removed log": (index) => at(index, (log) => [{ ...log, removed: true }]),
  "a log outside the range": (index) => at(index, (log) => [{ ...log, blockNumber: hex(last + 1 + index) }]),
  "two blocks at a height": (index) => at(index, (log) => [{ ...log, blockHash: word(99) }]),
  "a log moved to another height": (index) => at(index, (log) => [{ ...log, blockNumber: hex(1) }]),
};

describe("an answer with", () => {
  test.each(Object.entries(lies))("%s is asked for again, and then refused", async (_, lie) => {
    expect(await read(await open([lie(1)]))).toEqual(places);
    await expect(read(await open(always(lie(1))))).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
  });

  test("logs of other blocks than the node has is refused", async () => {
    const change: Change = (found) => found.map((log) => ({ ...log, blockHash: `0x${"ab".repeat(32)}` }));
    await expect(read(await open(always(change)))).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
  });

  test("another block than asked for is refused", async () => {
    const rpc = await open([], (height) => ({ number: hex(height + 1) }));
    await expect(read(rpc)).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
  });

  test("a transaction twice is refused", async () => {
    const transaction = {
      transactionIndex: "0x0",
      hash: word(5),
      from: stranger,
      to: contract,
      input: "0x",
      value: "0x0",
    };
    const rpc = await open([], () => ({ transactions: [transaction, transaction] }));
    const parts = readEvmTransactions(rpc, { first: 1, last: 2, signal });
    await expect(parts.next()).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
  });
});

test("a node without the logs of many blocks of a long reading is found by a sample of headers", async () => {
  const bloomOf = (digit: string): string => `0x${digit.repeat(512)}`;
  let [headers, receipts] = [0, 0];
  let leftOut = (_height: number): boolean => false;
  let hasLogs = true;
  const { url } = await playNode(({ method, params: [first] }: SeenCall) => {
    if (method === "eth_getLogs") return { result: [] };
    if (method === "eth_getTransactionReceipt") {
      receipts += 1;
      return { result: { logs: hasLogs ? logs.slice(0, 1) : [] } };
    }
    headers += 1;
    const height = Number(first);
    const transactions = Array.from({ length: 20 }, (_, index) => word(100 * height + index));
    const block = { logsBloom: bloomOf(leftOut(height) ? "f" : "0"), transactions };
    return { result: { number: first, hash: word(height), timestamp: hex(1_700_000_000 + height), ...block } };
  });
  const readLong = async () => {
    const compared: number[] = [];
    const range = { first: 1, last: 100_000, signal };
    for await (const part of readEvmEvents(openEvmRpc(url), { addresses: [contract], topics: [topic], ...range })) {
      compared.push(part.compared);
    }
    return compared.reduce((sum, count) => sum + count, 0);
  };
  const compared = await readLong();
  expect(compared).toBeGreaterThanOrEqual(256);
  // Two for each of 200 parts and the sample; with each request for logs comes one more.
  expect(headers).toBeLessThan(1000);
  expect(compared).toBeLessThanOrEqual(headers);
  leftOut = (height) => height > 30_000 && height < 31_000;
  await expect(readLong()).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
  // Blooms that have everything cost no more than a batch of receipts now and then.
  [leftOut, hasLogs, receipts, headers] = [() => true, false, 0, 0];
  expect(await readLong()).toBeLessThan(compared);
  expect(receipts).toBeLessThanOrEqual(2000 + headers);
});

test("whatever a node does to its answers, the logs are those of the chain, or none", async () => {
  const change = fc.tuple(fc.constantFrom(...Object.values(lies)), fc.nat(20)).map(
    ([lie, index]) =>
      (found: readonly Log[]) =>
        found.length === 0 ? found : lie(index)(found),
  );
  const shuffled: Change = (found) => found.toReversed();
  const answers = fc.array(fc.option(fc.oneof(change, fc.constant(shuffled)), { nil: undefined }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(answers, async (changes) => {
      const found = await read(await open(changes)).catch((error: unknown) => error);
      if (!(found instanceof NodeError)) expect(found).toEqual(places);
      else expect(found.code).toBe("NODE_BAD_RESPONSE");
    }),
    { seed: fuzzSeed(), numRuns: fuzzRuns(200) },
  );
});
