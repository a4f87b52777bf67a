import { beforeAll, describe, expect, test } from "vitest";
import { JsonRpcFailure } from "@vipscore/localnet";
import { playHardhat } from "@vipscore/testkit/playHardhat";
import type { NodePatience } from "../../src/callForLists.ts";
import { openEvmRpc } from "../../src/evm/evmRpc.ts";
import { readEvmEvents, type EvmEventsPart, type ReadEvmEventsOptions } from "../../src/evm/readEvmEvents.ts";
import { LogEmitter, word } from "./logEmitter.ts";

const topic = word(0xaed);
/** Logs of full blocks: two of them fill a part, and one transaction cannot pay for more. */
const full = 10_001;
const empty = 700;

const chain = playHardhat();
let emitter: LogEmitter;
let head: number;
/** The first of many blocks without full ones: an event is in the first and in the last of them. */
let quiet: number;
/** The events that are read, in order: height, index in the block. */
let emitted: (readonly [height: number, index: number])[];

beforeAll(async () => {
  emitter = await LogEmitter.deploy(chain);
  const other = await LogEmitter.deploy(chain);
  emitted = [];
  for (const count of [3, full, full, 1, full, 2]) {
    const height = await emitter.emit(count, topic);
    for (let index = 0; index < count; index += 1) emitted.push([height, index]);
    await other.emit(5, topic);
    quiet = height;
  }
  await chain.request({ method: "hardhat_mine", params: [`0x${empty.toString(16)}`] });
  const last = await emitter.emit(1, topic);
  emitted.push([last, 0]);
  head = last;
});

function read(options: Partial<ReadEvmEventsOptions> = {}, patience: NodePatience = {}) {
  const range = { first: 1, last: head, signal: new AbortController().signal };
  return readEvmEvents(openEvmRpc(chain.url, patience), {
    addresses: [emitter.address],
    topics: [topic],
    ...range,
    ...options,
  });
}

async function collect(parts: AsyncIterable<EvmEventsPart>): Promise<readonly EvmEventsPart[]> {
  const all: EvmEventsPart[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

const placesOf = (parts: readonly EvmEventsPart[]) =>
  parts.flatMap(({ events }) => events).map(({ height, logIndex }) => [height, logIndex]);

async function blockAt(height: number) {
  const params = [`0x${height.toString(16)}`, false];
  const block = (await chain.request({ method: "eth_getBlockByNumber", params })) as {
    hash: string;
    timestamp: string;
  };
  return { hash: block.hash, seconds: Number(block.timestamp) };
}

test("all events come in order, in parts that follow each other and stay small", async () => {
  const parts = await collect(read());
  expect(placesOf(parts)).toEqual(emitted);
  expect(parts.map(({ first }) => first)).toEqual([1, ...parts.slice(0, -1).map(({ last }) => last + 1)]);
  expect(parts.at(-1)?.last).toBe(head);
  expect(Math.max(...parts.map(({ events }) => events.length))).toBeLessThanOrEqual(20_000);
  expect(Math.max(...parts.map(({ first, last }) => last - first + 1))).toBeGreaterThan(100);
  for (const { first, last, firstHash, lastHash } of parts) {
    expect([firstHash, lastHash]).toEqual([(await blockAt(first)).hash, (await blockAt(last)).hash]);
  }
});

test("an event has its topics, its data, its transaction and the time of its block", async () => {
  const [height, index] = emitted.at(-2) ?? [0, 0];
  const [part] = await collect(read({ first: height, last: height }));
  const event = part?.events.at(index);
  expect(event).toMatchObject({ height, address: emitter.address, transactionIndex: 0, logIndex: index });
  expect(event).toMatchObject({ topics: [topic, word(index)], data: word(index) });
  expect(event?.txHash).toMatch(/^0x[0-9a-f]{64}$/);
  expect(Date.parse(event?.timestamp ?? "") / 1000).toBe((await blockAt(height)).seconds);
});

test("a range without blocks has no parts", async () => {
  expect(await collect(read({ first: 9, last: 8 }))).toEqual([]);
  expect(chain.calls).toEqual([]);
});

test("a failure comes after the complete parts, and a second reading continues there", async () => {
  const parts: EvmEventsPart[] = [];
  const missing = quiet + 100;
  chain.instead = (method, [block]) =>
    method === "eth_getBlockByNumber" && Number(block) >= missing ? null : undefined;
  const reading = (async () => {
    for await (const part of read({ first: quiet })) parts.push(part);
  })();
  await expect(reading).rejects.toMatchObject({ code: "NODE_UNREACHABLE" });
  expect(parts.length).toBeGreaterThan(0);
  chain.instead = () => undefined;
  const rest = await collect(read({ first: (parts.at(-1)?.last ?? 0) + 1 }));
  expect(placesOf([...parts, ...rest])).toEqual(emitted.slice(-3));
});

test("a reading that is left asks for no more than the next parts", async () => {
  for await (const { last } of read({ first: quiet })) {
    expect(last).toBeLessThan(head);
    break;
  }
  const asked = chain.calls.length;
  await collect(read({ first: head, last: head }));
  // Two calls of each of the next three parts were on their way; the last block takes three.
  expect(chain.calls.length).toBeLessThanOrEqual(asked + 6 + 3);
});

test("three ranges are read at once, and an answer that comes early waits for its turn", async () => {
  const held: (() => void)[] = [];
  let most = 0;
  let isOver = false;
  chain.instead = (method, params) => {
    if (method !== "eth_getLogs" || isOver) return undefined;
    const answer = new Promise<void>((resolve) => held.push(resolve));
    most = Math.max(most, held.length);
    if (held.length === 3) {
      // The newest first.
      for (const release of held.splice(0).toReversed()) release();
      isOver = true;
    }
    return answer.then(() => chain.request({ method, params }));
  };
  const parts = await collect(read({ first: quiet }));
  expect(most).toBe(3);
  expect(placesOf(parts)).toEqual(emitted.slice(-3));
  expect(parts.map(({ first }) => first)).toEqual([quiet, ...parts.slice(0, -1).map(({ last }) => last + 1)]);
});

test("from a node that limits requests, ranges are read one at a time", async () => {
  const refusals: (() => void)[] = [];
  /** The first blocks of the ranges that are asked for, and whether the headers of the one before were. */
  const asked: (readonly [first: number, isAlone: boolean])[] = [];
  let headers = 0;
  chain.instead = (method, params) => {
    if (method === "eth_getBlockByNumber") headers += 1;
    if (method !== "eth_getLogs") return undefined;
    // Without patience, logs are asked for twice: beside a header, and alone.
    if (refusals.length < 6) {
      const refusal = new Promise<never>((_, reject) =>
        refusals.push(() => reject(new JsonRpcFailure(429, "rate limit exceeded"))),
      );
      // The three ranges at once: which of them waits for longer is chance.
      if (refusals.length % 3 === 0) for (const refuse of refusals) refuse();
      return refusal;
    }
    // Two of them are asked for beside the logs, the sample after them.
    asked.push([Number((params[0] as { readonly fromBlock: string }).fromBlock), asked.length === 0 || headers > 2]);
    headers = 0;
    return undefined;
  };
  const parts = await collect(read({ first: quiet }, { patienceMs: 0 }));
  expect(placesOf(parts)).toEqual(emitted.slice(-3));
  expect(asked).toEqual(parts.map(({ first }) => [first, true]));
});

test("an aborted reading ends with the reason", async () => {
  const aborter = new AbortController();
  const reason = new Error("enough");
  let parts = 0;
  const reading = (async () => {
    for await (const { last } of read({ first: quiet, signal: aborter.signal })) {
      expect(last).toBeLessThan(head);
      parts += 1;
      aborter.abort(reason);
    }
  })();
  await expect(reading).rejects.toBe(reason);
  expect(parts).toBe(1);
});

describe("a node that leaves out logs", () => {
  const leaveOut = (isLeftOut: (height: number) => boolean, times = Infinity): void => {
    let asked = 0;
    chain.instead = async (method, params) => {
      if (method !== "eth_getLogs") return undefined;
      const logs = (await chain.request({ method, params })) as readonly { readonly blockNumber: string }[];
      const left = logs.filter(({ blockNumber }) => !isLeftOut(Number(blockNumber)));
      asked += Number(left.length < logs.length);
      return asked > times ? undefined : left;
    };
  };
  /** So few blocks that each is compared; the last event before the quiet ones is among them. */
  const few = () => ({ first: quiet - 1, last: quiet + 400 });

  test("of one block is refused, and nothing of the part is given", async () => {
    leaveOut((height) => height === quiet);
    const shortMessage: unknown = expect.stringMatching(new RegExp(`\\bblock ${quiet}\\b.* 0x[0-9a-f]{64}\\b`));
    await expect(collect(read(few()))).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE", shortMessage });
  });

  test("once is asked again", async () => {
    leaveOut((height) => height === quiet, 1);
    expect(placesOf(await collect(read(few())))).toEqual([
      [quiet, 0],
      [quiet, 1],
    ]);
  });

  const comparedOf = (parts: readonly EvmEventsPart[]) => parts.reduce((sum, { compared }) => sum + compared, 0);

  test("is not one whose blooms have the event only for other logs", async () => {
    // The second topic of every log.
    const parts = await collect(read({ ...few(), topics: [word(0)] }));
    expect([placesOf(parts), comparedOf(parts)]).toEqual([[], 402]);
    expect(chain.calls).toContain("eth_getTransactionReceipt");
  });

  test.each([
    ["empty", `0x${"00".repeat(256)}`],
    ["absent", undefined],
  ])("is not known by blooms that are %s, and no block is compared", async (_, logsBloom) => {
    chain.instead = async (method, params) =>
      method === "eth_getBlockByNumber"
        ? { ...((await chain.request({ method, params })) as object), logsBloom }
        : undefined;
    const parts = await collect(read(few()));
    expect([placesOf(parts).length, comparedOf(parts)]).toEqual([2, 0]);
  });
});
