import { createHash } from "node:crypto";
import { firstValue, openCometNode, readCosmosEvents } from "@vipscore/blocks/cosmos";
import { openEvmRpc, readEvmEvents } from "@vipscore/blocks/evm";
import { readPlainBlocks } from "./plainBlocks.ts";

/**
 * Method of reading events. EVM: logs alone in a loop, the same with a call for the time of each block, or with our reader. Move
 * and Wasm: results and transactions of each block in a loop, or with our reader.
 */
export type EventsReader = "plain" | "plainWithTimes" | "readEvmEvents" | "plainBlocks" | "readCosmosEvents";

/** What a reader cost. */
export interface EventsCost {
  readonly seconds: number;
  /** CPU time of its process alone. */
  readonly cpuSeconds: number;
  /** In bytes. */
  readonly peakRss: number;
  readonly events: number;
}

/** Result of a reader. */
export interface EventsResult extends EventsCost {
  /** SHA-256 of the events' places and data. */
  readonly sha256: string;
}

/** Blocks per request of the loops: their 10,000 logs are what many nodes serve at once. */
const blocksPerRequest = 100;

interface Log {
  readonly blockNumber: string;
  readonly transactionIndex: string;
  readonly logIndex: string;
  readonly data: string;
}

/** A separate process that reads all events: `eventsReader <reader> <url> <last block>`. Sends an {@link EventsResult}. */
const [, , reader, url = "", end] = process.argv;
const last = Number(end);
const hash = createHash("sha256");
let events = 0;

function take(...event: readonly (number | string)[]): void {
  events += 1;
  hash.update(`${event.join(":")}\n`);
}

async function call<T>(method: string, params: unknown): Promise<T> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  const { result, error } = (await response.json()) as { readonly result: T; readonly error?: unknown };
  if (error !== undefined) throw new Error(JSON.stringify(error));
  return result;
}

async function readPlainly(withTimes: boolean): Promise<void> {
  for (let from = 1; from <= last; from += blocksPerRequest) {
    const to = Math.min(last, from + blocksPerRequest - 1);
    const range = { fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}` };
    const logs = await call<readonly Log[]>("eth_getLogs", [range]);
    if (withTimes) {
      for (const height of new Set(logs.map(({ blockNumber }) => blockNumber))) {
        await call("eth_getBlockByNumber", [height, false]);
      }
    }
    for (const { blockNumber, transactionIndex, logIndex, data } of logs) {
      take(Number(blockNumber), Number(transactionIndex), Number(logIndex), data);
    }
  }
}

async function readParts(): Promise<void> {
  const { signal } = new AbortController();
  for await (const part of readEvmEvents(openEvmRpc(url), { first: 1, last, signal })) {
    for (const { height, transactionIndex, logIndex, data } of part.events) {
      take(height, transactionIndex, logIndex, data);
    }
  }
}

async function readCosmosParts(): Promise<void> {
  const { signal } = new AbortController();
  const isWanted = ({ type }: { readonly type: string }): boolean => type === "move" || type === "wasm";
  for await (const part of readCosmosEvents(openCometNode(url), { isWanted, first: 1, last, signal })) {
    for (const { height, txHash, index, attributes } of part.items) {
      take(height, txHash, index, firstValue(attributes, "volume") ?? "");
    }
  }
}

const started = performance.now();
if (reader === "readEvmEvents") await readParts();
else if (reader === "readCosmosEvents") await readCosmosParts();
else if (reader === "plainBlocks") await readPlainBlocks(call, last, take);
else await readPlainly(reader === "plainWithTimes");
const seconds = (performance.now() - started) / 1_000;
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
const usage = { peakRss: maxRSS * 1024, cpuSeconds: (userCPUTime + systemCPUTime) / 1_000_000 };
process.send?.({ seconds, ...usage, events, sha256: hash.digest("hex") } satisfies EventsResult, () =>
  process.disconnect(),
);
