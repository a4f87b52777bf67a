import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { hashOf, playNode, type Override, type PlayedBlock, type PlayedEvent } from "@vipscore/testkit/playedComet";
import { openCometNode } from "../../src/cosmos/cometNode.ts";
import type { BlocksPart } from "../../src/cosmos/readBlockParts.ts";
import { moveTypeTag, readCosmosEvents, type CosmosEvent, type VmEvent } from "../../src/cosmos/readCosmosEvents.ts";

const [earliest, latest] = [1, 1200];
const wanted = "0x1::a::Wanted";
const time = "2026-11-21T07:27:44.8Z";

function moveEvent(tag: string, data: string): PlayedEvent {
  return { type: "move", attributes: [{ key: "type_tag", value: tag }, ...attributes({ data })] };
}

function attributes(values: Readonly<Record<string, string>>) {
  return Object.entries(values).map(([key, value]) => ({ key, value }));
}

const fee: PlayedEvent = { type: "tx", attributes: attributes({ fee: "0umin" }) };

/** Two transactions with events, one that failed, and one whose events nobody wants. */
function mixedBlock(height: number): PlayedBlock {
  const other = moveEvent("0x1::a::Other", "{}");
  return {
    height,
    time,
    transactions: ["AAAA", "AAAB", "AAAC", "AAAD"],
    events: [
      [fee, moveEvent(wanted, `${height}.0`), other, moveEvent(wanted, `${height}.1`)],
      undefined,
      [fee, other],
      [moveEvent(wanted, `${height}.2`)],
    ],
  };
}

function fullBlock(height: number, count: number): PlayedBlock {
  const events = Array.from({ length: count }, (_, index) => moveEvent(wanted, `${height}.${index}`));
  return { height, time, transactions: ["AAAE"], events: [events] };
}

const quiet: PlayedBlock = { height: 9, time, transactions: ["AAAF"], events: [[fee]] };
const blocks: readonly PlayedBlock[] = [
  mixedBlock(3),
  mixedBlock(8),
  quiet,
  ...Array.from({ length: 30 }, (_, index) => fullBlock(100 + 2 * index, 2000)),
  mixedBlock(latest),
];
const expected = blocks.flatMap(({ height, events }) => {
  const count = events.flat().filter((event) => event?.attributes.some(({ value }) => value === wanted)).length;
  return Array.from({ length: count }, (_, index) => `${height}.${index}`);
});

async function open(overrides: Readonly<Record<string, Override>> = {}) {
  const server = await playNode({ blocks, earliest, latest, overrides });
  const aborter = new AbortController();
  const isWanted = (event: VmEvent) => moveTypeTag(event) === wanted;
  return {
    aborter,
    /** Returns the number of calls of a method. */
    calls: (method: string) => server.requests.filter(({ body }) => body.includes(`"${method}"`)).length,
    read: (first = earliest, last = latest) =>
      readCosmosEvents(openCometNode(server.url), { isWanted, first, last, signal: aborter.signal }),
  };
}

async function collect(parts: AsyncIterable<BlocksPart<CosmosEvent>>): Promise<readonly BlocksPart<CosmosEvent>[]> {
  const all: BlocksPart<CosmosEvent>[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

const textsOf = (parts: readonly BlocksPart<CosmosEvent>[]) =>
  parts.flatMap(({ items }) => items).map(({ attributes: [, data] }) => data?.[1]);

test("all events come in order, in parts that follow each other and stay small", async () => {
  const node = await open();
  const parts = await collect(node.read());
  expect(textsOf(parts)).toEqual(expected);
  expect(parts.map(({ first }) => first)).toEqual([1, ...parts.slice(0, -1).map(({ last }) => last + 1)]);
  expect(parts.at(-1)?.last).toBe(latest);
  // The limit, and what the last dozen blocks of a part have.
  expect(Math.max(...parts.map(({ items }) => items.length))).toBeLessThan(20_000 + 12 * 2000);
  expect(parts.length).toBeGreaterThan(4);
  for (const { first, last, firstHash, lastHash } of parts) {
    expect([firstHash, lastHash]).toEqual([hashOf(first).toLowerCase(), hashOf(last).toLowerCase()]);
  }
});

test("an event has its place among all events of its transaction, and the transaction's hash", async () => {
  const node = await open();
  const [part, ...more] = await collect(node.read(8, 9));
  expect(more).toEqual([]);
  const hash = (text: string) => createHash("sha256").update(Buffer.from(text, "base64")).digest("hex").toUpperCase();
  const block = { type: "move", height: 8, timestamp: time };
  expect(part?.items).toMatchObject([
    { ...block, transactionIndex: 0, index: 1, txHash: hash("AAAA") },
    { ...block, transactionIndex: 0, index: 3, txHash: hash("AAAA") },
    { ...block, transactionIndex: 3, index: 0, txHash: hash("AAAD") },
  ]);
});

test("blocks without transactions cost no request of their own, and hashes are read only for wanted events", async () => {
  const node = await open();
  await collect(node.read(1, 20));
  expect([node.calls("blockchain"), node.calls("block_results"), node.calls("block")]).toEqual([1, 3, 2]);
});

test("a range without blocks has no parts", async () => {
  const node = await open();
  expect(await collect(node.read(9, 8))).toEqual([]);
  expect(node.calls("blockchain")).toBe(0);
});

test("a failure comes after the complete parts, and a second reading continues there", async () => {
  let isBroken = true;
  const node = await open({
    block_results: ({ parameters: { height } }) =>
      isBroken && height === "140"
        ? { body: { jsonrpc: "2.0", id: 1, result: { height, txs_results: [] } } }
        : undefined,
  });
  const parts: BlocksPart<CosmosEvent>[] = [];
  const reading = (async () => {
    for await (const part of node.read()) parts.push(part);
  })();
  await expect(reading).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
  expect(parts.length).toBeGreaterThan(0);
  isBroken = false;
  const rest = await collect(node.read((parts.at(-1)?.last ?? 0) + 1));
  expect(textsOf([...parts, ...rest])).toEqual(expected);
});

test("an aborted reading ends with the reason", async () => {
  const node = await open();
  const reason = new Error("enough");
  let parts = 0;
  const reading = (async () => {
    for await (const { last } of node.read()) {
      expect(last).toBeLessThan(latest);
      parts += 1;
      node.aborter.abort(reason);
    }
  })();
  await expect(reading).rejects.toBe(reason);
  expect(parts).toBe(1);
});
