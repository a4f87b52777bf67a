import { afterEach, beforeAll, expect, test } from "vitest";
import {
  createHardhatProvider,
  JsonRpcFailure,
  serveJsonRpc,
  type JsonRpcHandler,
  type LoopbackServer,
} from "@vipscore/localnet";
import { started } from "@vipscore/testkit/started";
import type { LogFilter } from "../../src/evm/blockLogReader.ts";
import { openEvmRpc } from "../../src/evm/evmRpc.ts";
import { logReader } from "../../src/evm/logReader.ts";
import { readLogPlace } from "../../src/evm/rpcValues.ts";
import { RangeTooLargeError } from "../../src/readErrors.ts";
import { LogEmitter, word } from "./logEmitter.ts";

const { signal } = new AbortController();
const [red, green] = [word(0xaed), word(0x94ee)];
const blocks = 40;

const chain = started(() => createHardhatProvider());
let one: LogEmitter;
let other: LogEmitter;
/** The height of the first block with logs. Both contracts take turns, a block each, with 1, 2, 3, 1, … logs. */
let first: number;
let servers: LoopbackServer[] = [];

beforeAll(async () => {
  one = await LogEmitter.deploy(chain);
  other = await LogEmitter.deploy(chain);
  first = Number(await chain.request({ method: "eth_blockNumber" })) + 1;
  for (let index = 0; index < blocks; index += 1) {
    await (index % 2 === 0 ? one : other).emit(countAt(index), index % 4 < 2 ? red : green);
  }
});
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

const countAt = (index: number) => (index % 3) + 1;

/** The chain behind a node that answers some calls itself, or refuses them. */
async function serve(answer: (...call: Parameters<JsonRpcHandler>) => unknown = () => undefined): Promise<string> {
  const server = await serveJsonRpc(async (method, params) => {
    const own = answer(method, params);
    return own ?? chain.request({ method, params });
  }, 0);
  servers.push(server);
  return server.url;
}

/** The logs of all blocks that pass a filter, as `[block, log]`, each from 0. */
async function readAll(
  url: string,
  filters: readonly LogFilter[],
  options: { widest?: number; maxLogs?: number } = {},
) {
  const { widest = 16, maxLogs = 1_000 } = options;
  const read = logReader(openEvmRpc(url), { filters, keep: readLogPlace, widest, maxLogs });
  const { logs, unread } = await read(first, first + blocks - 1, signal);
  expect(unread).toEqual([]);
  return logs.map(({ height, logIndex }) => [height - first, logIndex]);
}

/** Returns the logs that {@link readAll} should return. */
function logsWhere(isWanted: (block: number, log: number) => boolean) {
  return Array.from({ length: blocks }, (_, block) => block).flatMap((block) =>
    Array.from({ length: countAt(block) }, (_, log) => [block, log]).filter(([, log = 0]) => isWanted(block, log)),
  );
}

interface Case {
  readonly name: string;
  readonly filters: () => readonly LogFilter[];
  readonly isWanted: (block: number, log: number) => boolean;
}

const cases: readonly Case[] = [
  { name: "all logs", filters: () => [{}], isWanted: () => true },
  {
    name: "the logs of one contract",
    filters: () => [{ addresses: [one.address] }],
    isWanted: (block) => block % 2 === 0,
  },
  {
    name: "the logs of two contracts",
    filters: () => [{ addresses: [one.address, other.address] }],
    isWanted: () => true,
  },
  { name: "one event", filters: () => [{ topics: [green] }], isWanted: (block) => block % 4 >= 2 },
  {
    name: "one event of one contract",
    filters: () => [{ addresses: [other.address], topics: [red] }],
    isWanted: (block) => block % 4 === 1,
  },
  { name: "one argument of any event", filters: () => [{ topics: [null, word(1)] }], isWanted: (_, log) => log === 1 },
  {
    name: "one of several arguments",
    filters: () => [
      {
        topics: [
          [red, green],
          [word(0), word(2)],
        ],
      },
    ],
    isWanted: (_, log) => log !== 1,
  },
  {
    name: "hex in uppercase",
    filters: () => [
      { addresses: [`0x${one.address.slice(2).toUpperCase()}`], topics: [`0x${red.slice(2).toUpperCase()}`] },
    ],
    isWanted: (block) => block % 4 === 0,
  },
  { name: "more topics than there are", filters: () => [{ topics: [null, null, null] }], isWanted: () => false },
  {
    name: "two filters",
    filters: () => [{ addresses: [one.address], topics: [red] }, { addresses: [other.address] }],
    isWanted: (block) => block % 4 === 0 || block % 2 === 1,
  },
];

test.each(cases)("$name, in the order of the chain", async ({ filters, isWanted }) => {
  expect(await readAll(await serve(), filters())).toEqual(logsWhere(isWanted));
});

test.each(cases)("$name, from a node that limits the range", async ({ filters, isWanted }) => {
  const ranges: number[] = [];
  const url = await serve((method, params) => {
    if (method !== "eth_getLogs") return undefined;
    const { fromBlock, toBlock } = params[0] as { readonly fromBlock: string; readonly toBlock: string };
    const range = Number(toBlock) - Number(fromBlock) + 1;
    ranges.push(range);
    if (range > 7) throw new JsonRpcFailure(-32000, "block range exceeded 7");
    return undefined;
  });
  expect(await readAll(url, filters(), { widest: 24 })).toEqual(logsWhere(isWanted));
  expect(ranges).toContain(6);
});

test.each(cases)("$name, from a node that serves no logs but those of receipts", async ({ filters, isWanted }) => {
  const url = await serve((method) => {
    if (method === "eth_getLogs") throw new JsonRpcFailure(-32000, "query returned more than 0 results");
    return undefined;
  });
  expect(await readAll(url, filters())).toEqual(logsWhere(isWanted));
});

test("logs that nobody asked for are dropped", async () => {
  const url = await serve((method, params) => {
    if (method !== "eth_getLogs") return undefined;
    const { fromBlock, toBlock } = params[0] as object & { fromBlock: string; toBlock: string };
    return chain.request({ method, params: [{ fromBlock, toBlock }] });
  });
  const read = await readAll(url, [{ addresses: [one.address], topics: [null, word(0)] }]);
  expect(read).toEqual(logsWhere((block, log) => block % 2 === 0 && log === 0));
});

test("a range with more logs than may be held names how many of its blocks to read", async () => {
  const url = await serve();
  const filters = [{ addresses: [one.address] }];
  const reading = readAll(url, filters, { maxLogs: 10 });
  await expect(reading).rejects.toBeInstanceOf(RangeTooLargeError);
  const { blocks: fitting } = (await reading.catch((error: unknown) => error)) as RangeTooLargeError;
  const read = logReader(openEvmRpc(url), { filters, keep: readLogPlace, widest: 16, maxLogs: 10 });
  expect((await read(first, first + fitting - 1, signal)).logs.length).toBeLessThanOrEqual(10);
});
