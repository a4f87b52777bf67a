import { isUnreadable } from "@vipscore/blocks";
import { allGiven, isPassing, listOf, quantity, type EvmRpc } from "@vipscore/blocks/evm";
import { NodeError } from "@vipscore/core";
import { HttpStatusError, RpcError } from "@vipscore/core/wire";
import { maxChanges, RangeTooFull } from "../nftChain.ts";
import { byPlace, nftTopics, readNftLog, type NftLog, type NftLogs, type UnreadLogs } from "./nftLog.ts";
import { BlockLogReader } from "./readBlockLogs.ts";

/** Reads the token logs of a range of blocks, inclusive. */
export type NftLogReader = (first: number, last: number, signal: AbortSignal) => Promise<NftLogs>;

/** Successful reads in a row before the range doubles. */
const readsBeforeWidening = 8;

/**
 * Creates a log reader that learns how many blocks the node serves at once. Nodes limit the range or the number of
 * results in many ways and words ("block range exceeded 500" of minievm, "query returned more than 10000 results" of
 * others), and proxies time out, so any failed read of several blocks halves the range. A single block is read log by log,
 * and if that fails too, transaction by transaction.
 *
 * The reader throws RangeTooFull; NodeError, which names the block if a single one is refused; the signal's reason when
 * aborted. Logs that stay too large are skipped and returned as `unread`.
 *
 * @param widest - Maximum blocks per request.
 */
export function nftLogReader(rpc: EvmRpc, widest: number): NftLogReader {
  const blocks = new BlockLogReader(rpc);
  let width = widest;
  let successes = 0;
  const readPart = async (from: number, to: number, signal: AbortSignal): Promise<NftLogs | undefined> => {
    try {
      return { logs: await readRange(rpc, from, to, signal), unread: [] };
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
    const logs: NftLog[] = [];
    const unread: UnreadLogs[] = [];
    for (let from = first; from <= last;) {
      const to = Math.min(last, from + width - 1);
      const part = await readPart(from, to, signal);
      if (part === undefined) continue;
      if (last > first && logs.length + part.logs.length > maxChanges) {
        if (from > first) throw new RangeTooFull(from - first);
        if (to === from) throw new RangeTooFull(1);
        width = Math.floor((to - from + 1) / 2);
        continue;
      }
      // One by one: a full range has more logs than a call takes arguments.
      for (const log of part.logs) logs.push(log);
      unread.push(...part.unread);
      successes += 1;
      if (successes >= readsBeforeWidening && width < widest) {
        width = Math.min(widest, width * 2);
        successes = 0;
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
  // Nodes silently omit blocks that they do not have yet. In the same request as the logs, the last block shows whether
  // the node has them, even behind a balancer whose other nodes are ahead.
  const lastBlock = { method: "eth_getBlockByNumber", params: [quantity(to), false] };
  // Parsed outside the retry: unreadable logs are requested again in smaller parts.
  const answers = await rpc.readAll([lastBlock, ...calls], (answer) => answer, signal);
  const [block, ...lists] = allGiven(answers);
  if (block?.value === null) {
    throw new NodeError(`${rpc.endpoint} does not have block ${to} yet`, { code: "NODE_UNREACHABLE" });
  }
  return lists.flatMap((list) => listOf(list).flatMap((log) => readNftLog(log) ?? []));
}

/** True if the node did not serve the range: it refused, or its answer is too large, too slow or unreadable. */
function isRefusal(error: unknown): error is NodeError {
  if (error instanceof RpcError) return !isPassing(error);
  if (error instanceof HttpStatusError) return error.status === 400 || error.status === 413 || error.status === 500;
  return isUnreadable(error);
}
