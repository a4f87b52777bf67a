import { NodeError } from "@vipscore/core";
import { RpcError, type Answer } from "@vipscore/core/wire";
import { inParallel } from "../inParallel.ts";
import { readStatus, type CometNode } from "./cometNode.ts";

/** Fields of a block's header. */
export interface BlockHeader {
  readonly height: number;
  /** Lowercase hex. */
  readonly hash: string;
  /** RFC 3339 in UTC with up to 6 fractional digits. */
  readonly timestamp: string;
  /** Number of transactions in the block. */
  readonly transactions: number;
}

/** Maximum headers that `blockchain` returns at once (CometBFT 0.38, `rpc/core/blocks.go`). */
const headersPerRequest = 20;

/**
 * Reads the headers of the blocks from `first` to `last`, inclusive, ascending.
 *
 * @throws NodeError; names the oldest available block if the node has pruned some of these.
 */
export async function readHeaders(
  node: CometNode,
  first: number,
  last: number,
  signal: AbortSignal,
): Promise<readonly BlockHeader[]> {
  const starts: number[] = [];
  for (let start = first; start <= last; start += headersPerRequest) starts.push(start);
  const parts = await inParallel(starts, 4, (start) =>
    askHeaders(node, start, Math.min(last, start + headersPerRequest - 1), signal),
  );
  const headers = parts.flat().sort((a, b) => a.height - b.height);
  for (let index = 0; first + index <= last; index += 1) {
    if (headers[index]?.height !== first + index) throw await missingBlock(node, first + index, signal);
  }
  return headers;
}

/** Reads a block's header; undefined if the node does not have the block. */
export async function findHeader(
  node: CometNode,
  height: number,
  signal: AbortSignal,
): Promise<BlockHeader | undefined> {
  // CometBFT treats height 0 as "no limit".
  if (height < 1) return undefined;
  const headers = await askHeaders(node, height, height, signal);
  return headers.find((header) => header.height === height);
}

/** Reads what the node has of a range: it silently omits the rest. */
async function askHeaders(
  node: CometNode,
  first: number,
  last: number,
  signal: AbortSignal,
): Promise<readonly BlockHeader[]> {
  try {
    const range = { minHeight: String(first), maxHeight: String(last) };
    return await node.read("blockchain", range, (answer) => answer.field("block_metas").list().map(readHeader), signal);
  } catch (error) {
    // The whole range is below the oldest block or above the newest.
    if (error instanceof RpcError && /can't be greater than max height/.test(error.details ?? "")) return [];
    throw error;
  }
}

function readHeader(meta: Answer): BlockHeader {
  const header = meta.field("header");
  const time = header.field("time");
  // CometBFT writes UTC with up to nine digits.
  const [, seconds, fraction = ""] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,9})?Z$/.exec(time.text()) ?? time.unreadable("a time");
  return {
    height: header.field("height").count(),
    hash: meta.field("block_id").field("hash").text().toLowerCase(),
    timestamp: `${seconds}${fraction.slice(0, 7)}Z`,
    transactions: meta.field("num_txs").count(),
  };
}

async function missingBlock(node: CometNode, height: number, signal: AbortSignal): Promise<NodeError> {
  const { earliest, latest } = await readStatus(node, signal);
  if (height < earliest) {
    return new NodeError(
      `${node.endpoint} has pruned block ${height}: its oldest block is ${earliest}; ` +
        `use a node that keeps all blocks, or start at block ${earliest} without earlier changes`,
      { code: "NODE_ERROR", details: `oldest block ${earliest}, newest ${latest}` },
    );
  }
  if (height > latest) {
    return new NodeError(`${node.endpoint} has no block ${height} yet: its newest block is ${latest}`, {
      code: "NODE_UNREACHABLE",
      details: `newest block ${latest}`,
    });
  }
  return new NodeError(`${node.endpoint} omitted the requested block ${height}`, {
    code: "NODE_BAD_RESPONSE",
    details: `oldest block ${earliest}, newest ${latest}`,
  });
}
