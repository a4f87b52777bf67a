import { expect, test } from "vitest";
import { playNode, type PlayedAnswer, type ScriptedAnswer, type SeenCall } from "@vipscore/testkit/scriptedServer";
import { openEvmRpc } from "../../src/evm/evmRpc.ts";
import { logReader } from "../../src/evm/logReader.ts";
import { readLogPlace } from "../../src/evm/rpcValues.ts";
import { word } from "./logEmitter.ts";

const { signal } = new AbortController();
const [full, head] = [7, 9];
const hashes = [word(71), word(72), word(73)];

function openReader(url: string, widest: number, patienceMs?: number) {
  return logReader(openEvmRpc(url, { patienceMs }), { filters: [{}], keep: readLogPlace, widest, maxLogs: 1_000 });
}

function logAt(height: number, place = 0, transactionHash = word(height)) {
  return {
    address: `0x${"AB".repeat(20)}`,
    topics: [word(1)],
    data: word(place),
    blockNumber: `0x${height.toString(16)}`,
    transactionIndex: "0x0",
    logIndex: `0x${place.toString(16)}`,
    transactionHash,
  };
}

const logsOf = (first: number, count: number) => Array.from({ length: count }, (_, index) => logAt(first + index));
const fullLogs = { result: hashes.map((hash, index) => logAt(full, index, hash)) };

interface Filter {
  readonly blockHash?: string;
  readonly fromBlock: string;
  readonly toBlock: string;
}

/** The blocks of a call for the logs of a range; undefined for any other call. */
function rangeOf({ method, params }: SeenCall): readonly [first: number, last: number] | undefined {
  const { blockHash, fromBlock, toBlock } = params[0] as Filter;
  return method === "eth_getLogs" && blockHash === undefined ? [Number(fromBlock), Number(toBlock)] : undefined;
}

const isByHash = ({ method, params }: SeenCall) =>
  method === "eth_getLogs" && (params[0] as Filter).blockHash !== undefined;

const refusal = (message: string, code = -32000): PlayedAnswer => ({ error: { code, message } });

test.each<[string, PlayedAnswer | undefined, ScriptedAnswer?]>([
  ["minievm", refusal("block range exceeded 500")],
  ["geth's providers", refusal("query returned more than 10000 results", -32005)],
  ["a node that gives no reason", refusal("Internal error", -32603)],
  ["others", refusal("eth_getLogs is limited to a 10,000 range", -32614)],
  [
    "an error with its own status",
    undefined,
    { status: 400, body: { id: 1, error: { code: -32602, message: "range" } } },
  ],
  ["a proxy's bound", undefined, { status: 413, body: "too large" }],
  ["more than is read", undefined, { body: " ".repeat(67_108_865) }],
])("a refused range is requested in halves: %s", async (_, refused, whole) => {
  const ranges: (readonly [number, number])[] = [];
  const isTooWide = ([first, last]: readonly number[] = [0, 0]) => Number(last) - Number(first) >= 30;
  const { url } = await playNode(
    (call) => {
      const range = rangeOf(call);
      if (range === undefined) return { result: {} };
      if (refused !== undefined && isTooWide(range)) return refused;
      ranges.push(range);
      return { result: logsOf(range[0], range[1] - range[0] + 1) };
    },
    (calls) => ([calls].flat().some((call) => isTooWide(rangeOf(call))) ? whole : undefined),
  );
  const { logs } = await openReader(url, 100)(1, 200, signal);
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
    const [first = 0, last = -1] = rangeOf(call) ?? [];
    if (isBusy && last - first >= 4) return refusal("busy");
    if (last >= first) widths.push(last - first + 1);
    return { result: last < first ? {} : [] };
  });
  const read = openReader(url, 16);
  await read(1, 40, signal);
  expect(Math.max(...widths)).toBe(4);
  isBusy = false;
  await read(41, 400, signal);
  expect(widths.at(-2)).toBe(16);
});

test("a node that is behind the head is retried later, not trusted", async () => {
  let newest = 4;
  const { url } = await playNode((call) => {
    const range = rangeOf(call);
    if (range === undefined) return { result: Number(call.params[0]) <= newest ? {} : null };
    return { result: logsOf(range[0], Math.max(0, Math.min(range[1], newest) - range[0] + 1)) };
  });
  const read = openReader(url, 10);
  await expect(read(1, 6, signal)).rejects.toMatchObject({ code: "NODE_UNREACHABLE" });
  newest = 6;
  expect((await read(1, 6, signal)).logs).toHaveLength(6);
});

test.each([
  ["a rate limit", "request rate limited"],
  ["a node that refuses its blocks too, in unknown words,", "out of order"],
])("%s is not a refusal of the range", async (_, details) => {
  const ranges = new Set<string>();
  const { url } = await playNode((call) => {
    const range = rangeOf(call);
    if (range !== undefined) ranges.add(range.join("-"));
    return refusal(details, -32005);
  });
  await expect(openReader(url, 10, 300)(1, 6, signal)).rejects.toMatchObject({ code: "NODE_ERROR", details });
  expect([...ranges]).toEqual(["1-6"]);
});

test("logs are never left out because of a refusal in unknown words", async () => {
  const { url } = await play({ byHash: refusal("25 of 25 units used", -32007), receipt: refusal("limit: 25", -32007) });
  const read = openReader(url, 64, 300);
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await expect(read(full, full, signal)).rejects.toMatchObject({ code: "NODE_ERROR", details: "limit: 25" });
  }
});

test("logs come in the chain's order, whatever the node's", async () => {
  const shuffled = [logAt(3), logAt(2, 9), logAt(2, 1), logAt(2, 10)];
  const { url } = await playNode((call) => ({ result: rangeOf(call) === undefined ? {} : shuffled }));
  const { logs } = await openReader(url, 10)(1, 5, signal);
  expect(logs.map(({ height, logIndex }) => [height, logIndex])).toEqual([
    [2, 1],
    [2, 9],
    [2, 10],
    [3, 0],
  ]);
});

interface Faults {
  /** For the logs of the full block by its hash. */
  readonly byHash?: PlayedAnswer;
  /** For the receipt of its second transaction; the others have theirs. */
  readonly receipt?: PlayedAnswer;
}

/** A node that refuses the logs of block 7, alone or in a range, except as the faults say. */
function play(
  { byHash = fullLogs, receipt = refusal("never asked") }: Faults,
  whole?: (call: SeenCall) => ScriptedAnswer | undefined,
) {
  return playNode(
    (call) => {
      const { method, params } = call;
      if (method === "eth_getBlockByNumber") {
        const height = Number(params[0]);
        return { result: { hash: word(height), timestamp: "0x1", transactions: height === full ? hashes : [] } };
      }
      if (method === "eth_getTransactionReceipt") {
        const place = hashes.findIndex((hash) => hash === params[0]);
        return place === 1 ? receipt : { result: { logs: [fullLogs.result[place]] } };
      }
      const [first, last] = rangeOf(call) ?? [];
      if (first === undefined || last === undefined) return byHash;
      return first <= full && full <= last ? refusal("too many results") : { result: [] };
    },
    (calls) => ("method" in calls ? whole?.(calls) : undefined),
  );
}

const served: PlayedAnswer = { result: { logs: [fullLogs.result[1]] } };

test("a block that is refused is read by its hash", async () => {
  const { url } = await play({});
  const { logs, unread } = await openReader(url, 64)(1, head, signal);
  expect(logs.map(({ txHash }) => txHash)).toEqual(hashes);
  expect(unread).toEqual([]);
});

test("unreadable logs are requested again", async () => {
  let isFirst = true;
  const { url } = await play({}, (call) => {
    if (!isByHash(call) || !isFirst) return undefined;
    isFirst = false;
    return { body: { id: call.id, result: [{ ...logAt(full), transactionHash: null }] } };
  });
  const { logs } = await openReader(url, 64)(1, head, signal);
  expect(logs.map(({ txHash }) => txHash)).toEqual(hashes);
});

test("a redirect to another host is also refused for a block's logs", async () => {
  const other = await play({ receipt: served });
  const redirect: ScriptedAnswer = { status: 307, headers: { location: other.url } };
  const { url } = await play({ byHash: refusal("never asked"), receipt: served }, (call) =>
    isByHash(call) ? redirect : undefined,
  );
  await expect(openReader(url, 64)(full, full, signal)).rejects.toMatchObject({ code: "NODE_REDIRECTED" });
  expect(other.requests).toEqual([]);
});

test("a receipt that is always too large is left out after three attempts, and named", async () => {
  const details = "response too large";
  const { url } = await play({ byHash: refusal("too many results"), receipt: refusal(details) });
  const read = openReader(url, 64, 300);
  for (let attempt = 1; attempt < 3; attempt += 1) {
    await expect(read(full, full, signal)).rejects.toMatchObject({ code: "NODE_ERROR", details });
  }
  const { logs, unread } = await read(full, full, signal);
  expect(logs.map(({ txHash }) => txHash)).toEqual([hashes[0], hashes[2]]);
  expect(unread).toMatchObject([{ height: full, reason: expect.stringContaining(hashes[1] ?? "") as unknown }]);
});

test("a receipt that is refused for a reason other than its size is retried, and named", async () => {
  const { url } = await play({ byHash: refusal("too many results"), receipt: refusal("unauthorized") });
  const read = openReader(url, 64, 300);
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const reading = read(full, full, signal);
    await expect(reading).rejects.toMatchObject({ code: "NODE_ERROR", details: "unauthorized" });
    await expect(reading).rejects.toThrow(`block ${full}`);
  }
});
