import { inParallel } from "../inParallel.ts";
import type { BlockHeader } from "./readHeaders.ts";

/** Number of concurrent requests: enough that a node is never idle, few enough that it also serves others. */
export const requestsAtOnce = 6;

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
