import { NodeError } from "@vipscore/core";
import { HttpStatusError, RpcError } from "@vipscore/core/wire";
import { mostChanges, RangeTooFull } from "../nftChain.ts";
import { isUnreadable } from "../unreadable.ts";
import { allGiven, type EvmRpc } from "./evmRpc.ts";
import { isPassing } from "./isPassing.ts";
import { byPlace, nftTopics, readNftLog, type NftLog } from "./nftLog.ts";
import { BlockLogReader, type UnreadLogs } from "./readBlockLogs.ts";
import { listOf, quantity } from "./rpcValues.ts";

/** The logs about tokens of a range of blocks. */
export interface NftLogs {
  /** In the order of the chain. */
  readonly logs: readonly NftLog[];
  /** What the node has and no way of asking could read. */
  readonly unread: readonly UnreadLogs[];
}

/** Reads the logs about tokens of a range of blocks, both ends included. */
export type NftLogReader = (first: number, last: number, signal: AbortSignal) => Promise<NftLogs>;

/** Reads in a row without a refusal after which twice as many blocks are tried at once. */
const calmReads = 8;

/**
 * A reader of logs that finds out how many blocks the node answers at once, and remembers it. Nodes bound the range or the
 * number of results in many ways and words ("block range exceeded 500" of minievm, "query returned more than 10000 results"
 * of others), so any refusal of several blocks, and any answer that is too large or too slow, makes it ask for half as many.
 * One block alone is read log by log, and where that fails too, transaction by transaction.
 *
 * The reader throws RangeTooFull; NodeError, also when one block alone is refused, which it names; the signal's reason when
 * aborted.
 *
 * @param widest - Most blocks to ask for at once.
 */
export function nftLogReader(rpc: EvmRpc, widest: number): NftLogReader {
  const blocks = new BlockLogReader(rpc);
  let width = widest;
  let calm = 0;
  const readPart = async (from: number, to: number, signal: AbortSignal): Promise<NftLogs | undefined> => {
    try {
      return { logs: await readRange(rpc, from, to, signal), unread: [] };
    } catch (error) {
      signal.throwIfAborted();
      calm = 0;
      const asked = to - from + 1;
      if (asked > 1) width = Math.floor(asked / 2);
      // An endpoint that does not answer at all is left alone for a while; what is asked next is smaller all the same.
      if (!isRefusal(error)) throw error;
      return asked > 1 ? undefined : blocks.read(from, error, signal);
    }
  };
  return async (first, last, signal) => {
    const logs: NftLog[] = [];
    const unread: UnreadLogs[] = [];
    for (let from = first; from <= last;) {
      const to = Math.min(last, from + width - 1);
      const part = await readPart(from, to, signal);
      if (part === undefined) continue;
      if (last > first && logs.length + part.logs.length > mostChanges) {
        if (from > first) throw new RangeTooFull(from - first);
        if (to === from) throw new RangeTooFull(1);
        width = Math.floor((to - from + 1) / 2);
        continue;
      }
      // One by one: a full range has more logs than a call takes arguments.
      for (const log of part.logs) logs.push(log);
      unread.push(...part.unread);
      calm += 1;
      if (calm >= calmReads && width < widest) {
        width = Math.min(widest, width * 2);
        calm = 0;
      }
      from = to + 1;
    }
    return { logs: logs.sort(byPlace), unread };
  };
}

async function readRange(rpc: EvmRpc, from: number, to: number, signal: AbortSignal): Promise<readonly NftLog[]> {
  const calls = nftTopics.map((topics) => {
    return { method: "eth_getLogs", params: [{ fromBlock: quantity(from), toBlock: quantity(to), topics }] };
  });
  // Nodes leave blocks that they do not have yet out in silence. In one request with the logs, the last block tells whether
  // the node has them, also behind a balancer whose other nodes are ahead.
  const lastBlock = { method: "eth_getBlockByNumber", params: [quantity(to), false] };
  // Read out of the retry: logs that cannot be read are asked for again in smaller parts.
  const answers = await rpc.readAll([lastBlock, ...calls], (answer) => answer, signal);
  const [block, ...lists] = allGiven(answers);
  if (block?.value === null) {
    throw new NodeError(`${rpc.endpoint} does not have block ${to} yet`, { code: "NODE_UNREACHABLE" });
  }
  return lists.flatMap((list) => listOf(list).flatMap((log) => readNftLog(log) ?? []));
}

/** True if the node did not want to serve the range: it said so, or what it sent is too much, too slow or cannot be read. */
function isRefusal(error: unknown): error is NodeError {
  if (error instanceof RpcError) return !isPassing(error);
  if (error instanceof HttpStatusError) return error.status === 400 || error.status === 413 || error.status === 500;
  return isUnreadable(error);
}
