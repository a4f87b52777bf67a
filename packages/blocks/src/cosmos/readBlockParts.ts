import { inParallel } from "../inParallel.ts";
import { readAhead, type PartsOptions } from "../readAhead.ts";
import type { CometNode } from "./cometNode.ts";
import { readHeaders, type BlockHeader } from "./readHeaders.ts";

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

/** Maximum blocks of a part. */
const maxBlocks = 500;
/** Blocks of the first part, before it is known how full they are: one request for headers. */
const firstWidth = 20;
/** Items after which a part ends. */
const maxItems = 20_000;
/** Number of concurrent requests: enough that a node is never idle, few enough that it also serves others. */
export const requestsAtOnce = 6;
/** Blocks that are read before their items are counted. */
const blocksAtOnce = 2 * requestsAtOnce;

/**
 * Reads a range of blocks part by part, one part ahead of the caller. A part ends after 500 blocks, or once it has 20,000
 * items, plus those of up to a dozen blocks.
 *
 * @param readBlock - Reads the items of a block that has transactions.
 * @throws NodeError; errors of `readBlock`; the signal's reason when aborted.
 */
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
