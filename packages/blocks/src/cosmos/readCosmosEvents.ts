import type { PartsOptions } from "../readAhead.ts";
import { readEvents, type VmEvent } from "./blockEvents.ts";
import { readTxHashes } from "./blockTransactions.ts";
import type { CometNode } from "./cometNode.ts";
import { readBlockParts, type BlocksPart } from "./readBlockParts.ts";
import type { BlockHeader } from "./readHeaders.ts";

/** An event of a VM, and its place in the chain. */
export interface CosmosEvent extends VmEvent {
  readonly height: number;
  /** The block's time, RFC 3339 in UTC with up to 6 fractional digits. */
  readonly timestamp: string;
  /** From 0, in its block. */
  readonly transactionIndex: number;
  /** Uppercase hex. */
  readonly txHash: string;
}

/** The events to read. */
export interface ReadCosmosEventsOptions extends PartsOptions {
  /** True for an event to keep; only kept events are held in memory. Must not throw. */
  readonly isWanted: (event: VmEvent) => boolean;
}

/**
 * Reads the Move and Wasm events of successful transactions in a range of blocks, however many there are, part by part.
 * While the caller uses a part, the next one is read; the memory of these two is all that is needed. A part has up to 500
 * blocks, and ends once it has 20,000 events.
 *
 * A block without transactions costs a twentieth of a request, one without wanted events one request, any other block two.
 * A failure ends it. To continue, start again after the last part: parts that were given are complete.
 *
 * @throws NodeError, which names the oldest block if the node has pruned some of the range; the signal's reason when
 * aborted.
 *
 * @example
 * for await (const { items, last } of readCosmosEvents(node, { isWanted, first: 1, last: 1_000_000, signal })) …
 */
export function readCosmosEvents(
  node: CometNode,
  { isWanted, ...range }: ReadCosmosEventsOptions,
): AsyncGenerator<BlocksPart<CosmosEvent>, void, undefined> {
  return readBlockParts(node, range, (header, signal) => readBlock(node, header, isWanted, signal));
}

async function readBlock(
  node: CometNode,
  header: BlockHeader,
  isWanted: (event: VmEvent) => boolean,
  signal: AbortSignal,
): Promise<readonly CosmosEvent[]> {
  const transactions = await readEvents(node, header, isWanted, signal);
  if (transactions.length === 0) return [];
  const hashes = await readTxHashes(node, header, signal);
  const { height, timestamp } = header;
  return transactions.flatMap(({ index: transactionIndex, events }) => {
    const place = { height, timestamp, transactionIndex, txHash: hashes[transactionIndex] ?? "" };
    return events.map((event) => ({ ...event, ...place }));
  });
}
