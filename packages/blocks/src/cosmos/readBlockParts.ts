import { NodeError } from "@vipscore/core";
import { inParallel, RpcError, type Answer } from "@vipscore/core/wire";
import { readAhead, type PartsOptions } from "../readAhead.ts";
import { readStatus, type CometNode } from "./cometNode.ts";

/** The items read from a part of a range of blocks. */
export interface BlocksPart<T> {
  readonly first: number;
  /** Inclusive; the next part begins after it. */
  readonly last: number;
  /** The hash of the first block, lowercase hex. */
  readonly firstHash: string;
  /** The hash of the last block, lowercase hex. */
  readonly lastHash: string;
  /** In the order of the chain. */
  readonly items: readonly T[];
}

const maxBlocks = 500;
/** Blocks of the first part, before it is known how full they are: one request for headers. */
const firstWidth = 20;
const maxItems = 20_000;
/** Number of concurrent requests: enough that a node is never idle, few enough that it also serves others. */
export const requestsAtOnce = 6;
const blocksAtOnce = 2 * requestsAtOnce;

/** Reads a range of blocks part by part, one part ahead of the caller. A part may exceed `maxItems` by those of a dozen blocks. */
export function readBlockParts<T>(
  node: CometNode,
  range: PartsOptions,
  readBlock: (header: BlockHeader, signal: AbortSignal) => Promise<readonly T[]>,
): AsyncGenerator<BlocksPart<T>, void, undefined> {
  return readAhead(range, (signal) => {
    let width = firstWidth;
    return async (first, end) => {
      const headers = await readHeaders(node, first, Math.min(end, first + width - 1), signal);
      const items: T[] = [];
      let read = 0;
      while (read < headers.length && items.length < maxItems) {
        const next = endOfBusy(headers, read);
        const blocks = await readBusyBlocks(headers.slice(read, next), (header) => readBlock(header, signal));
        // One by one: a block can have more items than a call takes arguments.
        for (const block of blocks) for (const item of block) items.push(item);
        read = next;
      }
      width = items.length < maxItems / 4 ? Math.min(maxBlocks, width * 2) : read;
      const hashOf = (index: number): string => headers[index]?.hash ?? "";
      return { first, last: first + read - 1, firstHash: hashOf(0), lastHash: hashOf(read - 1), items };
    };
  });
}

/** Returns the end of the next group of blocks: it has a few with transactions, and those without after them. */
function endOfBusy(headers: readonly BlockHeader[], from: number): number {
  let busy = 0;
  for (const [index, { transactions }] of headers.entries()) {
    if (index < from || transactions === 0) continue;
    if (busy === blocksAtOnce) return index;
    busy += 1;
  }
  return headers.length;
}

/** Reads the blocks that have transactions, a few at a time; results are in their order. Others cost only their header. */
export function readBusyBlocks<T>(
  headers: readonly BlockHeader[],
  read: (header: BlockHeader) => Promise<T>,
): Promise<readonly T[]> {
  return inParallel(
    headers.filter(({ transactions }) => transactions > 0),
    requestsAtOnce,
    read,
  );
}

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
    if (headers[index]?.height !== first + index) throw await missingBlockError(node, first + index, signal);
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

async function missingBlockError(node: CometNode, height: number, signal: AbortSignal): Promise<NodeError> {
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
