import { expect, test } from "vitest";
import { openEvmRpc } from "@vipscore/blocks/evm";
import { playNode, type PlayedAnswer, type ScriptedAnswer, type SeenCall } from "@vipscore/testkit/scriptedServer";
import { metadataUpdateTopic, nftLogReader, transferTopic } from "../../src/chain/evm/nftLog.ts";

const { signal } = new AbortController();
const word = (value: number) => `0x${value.toString(16).padStart(64, "0")}`;

function logAt(height: number, place = 0) {
  return {
    address: `0x${"AB".repeat(20)}`,
    topics: [transferTopic, word(0), word(7), word(height)],
    data: "0x",
    blockNumber: `0x${height.toString(16)}`,
    transactionIndex: "0x0",
    logIndex: `0x${place.toString(16)}`,
    transactionHash: word(height),
    removed: false,
  };
}

interface Filter {
  readonly fromBlock: string;
  readonly toBlock: string;
  readonly topics: readonly unknown[];
}

function rangeOf({ params }: SeenCall): readonly [number, number, boolean] {
  const { fromBlock, toBlock, topics } = params[0] as Filter;
  return [Number(fromBlock), Number(toBlock), topics[0] === metadataUpdateTopic];
}

/** A call of eth_getLogs, for transfers or for metadata. */
function isLogs({ method }: SeenCall): boolean {
  return method === "eth_getLogs";
}

/** A chain with one transfer in every block, whose node serves at most `maxBlocks` blocks at once. */
function playRanges(maxBlocks: number, refusal: PlayedAnswer | ScriptedAnswer) {
  const ranges: [number, number][] = [];
  const isTooWide = (call: SeenCall): boolean => {
    if (!isLogs(call)) return false;
    const [first, last] = rangeOf(call);
    return last - first >= maxBlocks;
  };
  const node = playNode(
    (call) => {
      if (!isLogs(call)) return { result: {} };
      if ("error" in refusal && isTooWide(call)) return refusal;
      const [first, last, isMetadata] = rangeOf(call);
      if (isMetadata) return { result: [] };
      ranges.push([first, last]);
      return { result: Array.from({ length: last - first + 1 }, (_, index) => logAt(first + index)) };
    },
    (calls) => {
      if ("error" in refusal || "result" in refusal) return undefined;
      return ("method" in calls ? isTooWide(calls) : calls.some(isTooWide)) ? refusal : undefined;
    },
  );
  return { node, ranges };
}

const refusalOf = (message: string, code = -32000): PlayedAnswer => ({ error: { code, message } });

test.each<[string, PlayedAnswer | ScriptedAnswer]>([
  ["minievm", refusalOf("block range exceeded 500")],
  ["geth's providers", refusalOf("query returned more than 10000 results", -32005)],
  ["a node that gives no reason", refusalOf("Internal error", -32603)],
  ["others", refusalOf("eth_getLogs is limited to a 10,000 range", -32614)],
  ["an error with its own status", { status: 400, body: { id: 1, error: { code: -32602, message: "range" } } }],
  ["a proxy's bound", { status: 413, body: "too large" }],
  ["more than is read", { body: " ".repeat(67_108_865) }],
])("a refused range is requested in halves: %s", async (_, refusal) => {
  const { node, ranges } = playRanges(30, refusal);
  const { url } = await node;
  const { logs } = await nftLogReader(openEvmRpc(url), 100)(1, 200, signal);
  expect(logs.map(({ height }) => height)).toEqual(Array.from({ length: 200 }, (_unused, index) => index + 1));
  // The accepted width is remembered: 25 blocks each, without further refusals.
  expect(ranges.slice(0, 3)).toEqual([
    [1, 25],
    [26, 50],
    [51, 75],
  ]);
});

test("wider ranges are tried again after a while", async () => {
  const widths: number[] = [];
  let isBusy = true;
  const { url } = await playNode((call) => {
    if (!isLogs(call)) return { result: {} };
    const [first, last, isMetadata] = rangeOf(call);
    if (isBusy && last - first >= 4) return refusalOf("busy");
    if (!isMetadata) widths.push(last - first + 1);
    return { result: [] };
  });
  const read = nftLogReader(openEvmRpc(url), 16);
  await read(1, 40, signal);
  expect(Math.max(...widths)).toBe(4);
  isBusy = false;
  await read(41, 400, signal);
  expect(widths.at(-2)).toBe(16);
});

test("a node that is behind the head is retried later, not trusted", async () => {
  let head = 4;
  const { url } = await playNode((call) => {
    if (!isLogs(call)) return { result: Number(call.params[0]) <= head ? {} : null };
    const [first, last, isMetadata] = rangeOf(call);
    const there = Math.max(0, Math.min(last, head) - first + 1);
    return { result: isMetadata ? [] : Array.from({ length: there }, (_, index) => logAt(first + index)) };
  });
  const read = nftLogReader(openEvmRpc(url), 10);
  await expect(read(1, 6, signal)).rejects.toMatchObject({ code: "NODE_UNREACHABLE" });
  head = 6;
  expect((await read(1, 6, signal)).logs).toHaveLength(6);
});

test("a rate limit is not a refusal of the range", async () => {
  const details = "request rate limited";
  const ranges = new Set<string>();
  const { url } = await playNode((call) => {
    if (isLogs(call)) ranges.add(rangeOf(call).slice(0, 2).join("-"));
    return refusalOf(details, -32005);
  });
  const reading = nftLogReader(openEvmRpc(url), 10)(1, 6, signal);
  await expect(reading).rejects.toMatchObject({ details });
  expect([...ranges]).toEqual(["1-6"]);
});

test("logs come in the chain's order, whatever the node's", async () => {
  const { url } = await playNode((call) => {
    if (!isLogs(call)) return { result: {} };
    const [, , isMetadata] = rangeOf(call);
    return { result: isMetadata ? [] : [logAt(3), logAt(2, 9), logAt(2, 1), logAt(2, 10)] };
  });
  const { logs } = await nftLogReader(openEvmRpc(url), 10)(1, 5, signal);
  expect(logs.map(({ height, logIndex }) => [height, logIndex])).toEqual([
    [2, 1],
    [2, 9],
    [2, 10],
    [3, 0],
  ]);
});

test.each([
  ["three topics", { topics: [transferTopic, word(1), word(2)], data: word(3) }],
  ["another event", { topics: [word(9), word(1), word(2), word(3)] }],
  ["a MetadataUpdate whose argument is indexed", { topics: [metadataUpdateTopic, word(3)] }],
  ["a MetadataUpdate without an argument", { topics: [metadataUpdateTopic] }],
  ["no topics", { topics: [] }],
])("a log with %s is not about a token", async (_, changed) => {
  const { url } = await playNode((call) => ({ result: isLogs(call) ? [{ ...logAt(2), ...changed }] : {} }));
  expect(await nftLogReader(openEvmRpc(url), 10)(1, 5, signal)).toEqual({ logs: [], unread: [] });
});

test.each([
  ["no block", { blockNumber: null }],
  ["a short address", { address: "0xab" }],
  ["invalid topics", { topics: "all" }],
  ["an invalid hash", { transactionHash: 7 }],
])("a log with %s is not a valid answer", async (_, changed) => {
  const { url } = await playNode((call) => ({ result: isLogs(call) ? [{ ...logAt(2), ...changed }] : {} }));
  await expect(nftLogReader(openEvmRpc(url), 10)(1, 5, signal)).rejects.toMatchObject({ code: "NODE_BAD_RESPONSE" });
});
