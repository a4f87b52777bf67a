import { NodeError } from "@vipscore/core";
import { HttpStatusError, RpcError, type Answer } from "@vipscore/core/wire";
import { isUnreadable, mayBeOfSize, RangeTooLargeError } from "../readErrors.ts";
import { allGiven } from "./batchReader.ts";
import {
  BlockLogReader,
  filterParameter,
  lowerFilter,
  matchesFilter,
  type BlockLogs,
  type LogChoice,
  type UnreadLogs,
} from "./blockLogReader.ts";
import type { EvmRpc } from "./evmRpc.ts";
import { Contradiction, logChecker } from "./logChecker.ts";
import { byPlace, listOf, lowerHex, quantity, type LogPlace } from "./rpcValues.ts";

/** The logs that a log reader reads, and the maximum read at once. */
export interface LogReaderOptions<L extends LogPlace> extends LogChoice<L> {
  /** Maximum blocks per request, at least 1. */
  readonly widest: number;
  /** Maximum logs of several blocks, which are held in memory; a single block may have more. */
  readonly maxLogs: number;
}

/** Reads the logs of a range of blocks, inclusive. */
export type LogReader<L> = (first: number, last: number, signal: AbortSignal) => Promise<BlockLogs<L>>;

const maxContradictions = 3;

/** Times that a range is requested before half of it is, or the parts of its block. */
const rangeTries = 3;

/** Successful reads in a row before the range doubles. */
const readsBeforeWidening = 8;

/**
 * Creates a log reader that learns how many blocks the node serves at once. Nodes limit the range or the number of
 * results in many ways and words ("block range exceeded 500" of minievm, "query returned more than 10000 results" of
 * others), and proxies time out, so any failed read of several blocks halves the range. A single block is read log by log,
 * and if that fails too, transaction by transaction.
 *
 * An answer that contradicts itself is asked for again, and then refused: none of it is used.
 *
 * The reader throws RangeTooLargeError if several blocks have more than `maxLogs`; NodeError, which names the block if a single one is refused; the signal's reason when
 * aborted. Logs of a block that stay too large are skipped at the third attempt, and returned as `unread`.
 */
export function logReader<L extends LogPlace>(rpc: EvmRpc, options: LogReaderOptions<L>): LogReader<L> {
  const { widest, maxLogs } = options;
  const choice = { filters: options.filters.map(lowerFilter), keep: options.keep };
  const blocks = new BlockLogReader(rpc, choice);
  let width = widest;
  let successes = 0;
  const readPart = async (from: number, to: number, signal: AbortSignal): Promise<BlockLogs<L> | undefined> => {
    try {
      return await readAgreeing(() => readRange(rpc, choice, [from, to], signal));
    } catch (error) {
      signal.throwIfAborted();
      successes = 0;
      const asked = to - from + 1;
      if (asked > 1) width = Math.floor(asked / 2);
      // Not a refusal: the caller pauses before it asks again, for a smaller range in case the size was the cause.
      if (!isRefusal(error)) throw error;
      return asked > 1 ? undefined : blocks.read(from, error, signal);
    }
  };
  return async (first, last, signal) => {
    const logs: L[] = [];
    const unread: UnreadLogs[] = [];
    const hashes = new Map<number, string>();
    for (let from = first; from <= last;) {
      const to = Math.min(last, from + width - 1);
      const part = await readPart(from, to, signal);
      if (part === undefined) continue;
      if (last > first && logs.length + part.logs.length > maxLogs) {
        if (from > first) throw new RangeTooLargeError(from - first);
        if (to === from) throw new RangeTooLargeError(1);
        width = Math.floor((to - from + 1) / 2);
        continue;
      }
      // One by one: a full range has more logs than a call takes arguments.
      for (const log of part.logs) logs.push(log);
      unread.push(...part.unread);
      for (const [height, hash] of part.hashes) hashes.set(height, hash);
      successes += 1;
      if (successes >= readsBeforeWidening && width < widest) {
        width = Math.min(widest, width * 2);
        successes = 0;
      }
      from = to + 1;
    }
    return { logs: logs.sort(byPlace), unread, hashes };
  };
}

/** Calls a reader again while its answers contradict themselves, a few times. @throws Contradiction. */
export async function readAgreeing<T>(read: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof Contradiction) || attempt >= maxContradictions) throw error;
    }
  }
}

async function readRange<L extends LogPlace>(
  rpc: EvmRpc,
  { filters, keep }: LogChoice<L>,
  [from, to]: readonly [from: number, to: number],
  signal: AbortSignal,
): Promise<BlockLogs<L>> {
  const { endpoint } = rpc;
  const range = { fromBlock: quantity(from), toBlock: quantity(to) };
  const calls = filters.map((filter) => ({
    method: "eth_getLogs",
    params: [{ ...range, ...filterParameter(filter) }],
    // The node may want a smaller request, in whatever words.
    tries: rangeTries,
  }));
  // Nodes silently omit blocks that they do not have yet. In the same request as the logs, the last block shows whether
  // the node has them, even behind a balancer whose other nodes are ahead.
  const lastBlock = { method: "eth_getBlockByNumber", params: [quantity(to), false] };
  // Parsed outside the retry: unreadable logs are requested again in smaller parts.
  const answers = await rpc.readAll([lastBlock, ...calls], (answer) => answer, signal);
  const [head] = answers;
  // A header has the same size in every range: this node refuses everything, and a smaller range changes nothing.
  if (head instanceof RpcError) {
    const { shortMessage, details = "", isTransient } = head;
    throw new NodeError(shortMessage, { code: "NODE_ERROR", details, isTransient, cause: head });
  }
  const [block, ...lists] = allGiven(answers);
  if (block?.value === null) {
    throw new NodeError(`${endpoint} does not have block ${to} yet`, { code: "NODE_UNREACHABLE" });
  }
  const hash = block?.optional("hash");
  const hashes = new Map(hash === undefined ? [] : [[to, lowerHex(hash, 32)]]);
  const logs: L[] = [];
  for (const [index, filter] of filters.entries()) {
    const list = lists[index];
    if (list === undefined) continue;
    const isAsked = (log: Answer) => matchesFilter(filter, log);
    const alike = new Set<string>();
    const check = logChecker({ endpoint, keep, isAsked, range: [from, to], hashes, alike });
    const found = listOf(list).flatMap((log, place) => check(log, place) ?? []);
    const isKept = (log: Answer) => isAsked(log) && keep(log) !== undefined;
    await compareWithReceipts(rpc, alike, { found, isKept }, signal);
    for (const log of found) logs.push(log);
  }
  return { logs, unread: [], hashes };
}

/** @throws Contradiction for a transaction with another number of logs than its receipt has. */
async function compareWithReceipts(
  { endpoint, readAll }: EvmRpc,
  alike: ReadonlySet<string>,
  { found, isKept }: { readonly found: readonly LogPlace[]; readonly isKept: (log: Answer) => boolean },
  signal: AbortSignal,
): Promise<void> {
  if (alike.size === 0) return;
  const came = new Map<string, number>();
  for (const { txHash } of found) came.set(txHash, (came.get(txHash) ?? 0) + 1);
  const calls = [...alike].map((txHash) => ({ method: "eth_getTransactionReceipt", params: [txHash], txHash }));
  const differenceOf = (receipt: Answer, { txHash }: (typeof calls)[number]): string | undefined => {
    const logs = receipt.value === null ? undefined : listOf(receipt.field("logs")).filter(isKept).length;
    const text = `${came.get(txHash)} logs of transaction ${txHash}, whose receipt has ${logs ?? "none"}`;
    return logs === came.get(txHash) ? undefined : text;
  };
  for (const details of allGiven(await readAll(calls, differenceOf, signal))) {
    if (details !== undefined) throw new Contradiction(endpoint, details);
  }
}

/** True if the node did not serve the range: it refused, or its answer is too large, too slow or unreadable. */
function isRefusal(error: unknown): error is NodeError {
  if (error instanceof Contradiction) return false;
  if (error instanceof RpcError) return mayBeOfSize(error);
  if (error instanceof HttpStatusError) return error.status === 400 || error.status === 413 || error.status === 500;
  return isUnreadable(error);
}
