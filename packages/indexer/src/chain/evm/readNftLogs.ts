import { NodeError } from "@vipscore/core";
import { HttpStatusError } from "@vipscore/core/http";
import type { EvmRpc } from "./evmRpc.ts";
import { badAnswer, quantity } from "./hexValues.ts";
import { byPlace, metadataUpdateTopic, readNftLog, transferTopic, type NftLog } from "./nftLog.ts";
import { isPassing, RpcRefusal } from "./rpcRefusal.ts";

/** Reads the logs about tokens of a range of blocks, both ends included, in the order of the chain. */
export type NftLogReader = (first: number, last: number, signal: AbortSignal) => Promise<readonly NftLog[]>;

/** Reads in a row without a refusal after which twice as many blocks are tried at once. */
const calmReads = 8;

/**
 * A reader of logs that finds out how many blocks the node answers at once, and remembers it. Nodes bound the range or the
 * number of results in many ways and words ("block range exceeded 500" of minievm, "query returned more than 10000 results"
 * of others), so any refusal of several blocks makes it ask for half as many.
 *
 * The reader throws NodeError, also when one block alone is refused, which it names; the signal's reason when aborted.
 *
 * @param widest - Most blocks to ask for at once.
 */
export function nftLogReader(rpc: EvmRpc, widest: number): NftLogReader {
  let width = widest;
  let calm = 0;
  return async (first, last, signal) => {
    const logs: NftLog[] = [];
    for (let from = first; from <= last;) {
      const to = Math.min(last, from + width - 1);
      try {
        // One by one: a full range has more logs than a call takes arguments.
        for (const log of await readRange(rpc, from, to, signal)) logs.push(log);
      } catch (error) {
        signal.throwIfAborted();
        calm = 0;
        const asked = to - from + 1;
        if (asked > 1) width = Math.floor(asked / 2);
        // An endpoint that does not answer at all is left alone for a while; what is asked next is smaller all the same.
        if (!isRefusal(error)) throw error;
        if (asked > 1) continue;
        throw oneBlockRefused(rpc, from, error);
      }
      calm += 1;
      if (calm >= calmReads && width < widest) {
        width = Math.min(widest, width * 2);
        calm = 0;
      }
      from = to + 1;
    }
    return logs.sort(byPlace);
  };
}

async function readRange(rpc: EvmRpc, from: number, to: number, signal: AbortSignal): Promise<readonly NftLog[]> {
  const filters = [
    // Places without a condition ask for logs with at least as many topics, which leaves the transfers of ERC-20 out.
    [transferTopic, null, null, null],
    [metadataUpdateTopic],
  ];
  const calls = filters.map((topics) => {
    return { method: "eth_getLogs", params: [{ fromBlock: quantity(from), toBlock: quantity(to), topics }] };
  });
  // Nodes leave blocks that they do not have yet out in silence. In one request with the logs, the last block tells whether
  // the node has them, also behind a balancer whose other nodes are ahead.
  const lastBlock = { method: "eth_getBlockByNumber", params: [quantity(to), false] };
  const answers = await rpc.requestAll([lastBlock, ...calls], signal);
  for (const answer of answers) if (answer instanceof RpcRefusal) throw answer;
  const [block, ...lists] = answers;
  if (block === null) {
    throw new NodeError(`${rpc.endpoint} does not have block ${to} yet`, { code: "NODE_UNREACHABLE" });
  }
  return lists.flatMap((list) => {
    if (!Array.isArray(list)) throw badAnswer(rpc, "eth_getLogs", "something that is not a list", list);
    return list.flatMap((value: unknown) => readNftLog(rpc, value) ?? []);
  });
}

/** True if the node did not want to serve the range: it said so, or it sent what cannot be read, such as too much. */
function isRefusal(error: unknown): error is NodeError {
  if (error instanceof RpcRefusal) return !isPassing(error);
  if (error instanceof HttpStatusError) return error.status === 400 || error.status === 413 || error.status === 500;
  return error instanceof NodeError && error.code === "NODE_BAD_RESPONSE";
}

function oneBlockRefused(rpc: EvmRpc, height: number, error: NodeError): NodeError {
  return new NodeError(`${rpc.endpoint} does not give the logs of block ${height}: ${error.shortMessage}`, {
    code: error.code,
    metaMessages: ["One block alone is refused too; ask another node of the chain."],
    details: error.details ?? error.shortMessage,
    cause: error,
  });
}
