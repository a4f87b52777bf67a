import type { Answer } from "@vipscore/core/wire";
import type { PartsOptions } from "../readAhead.ts";
import { readAllOf, readTxHashes, requireHeight, type BlockPlace } from "./blockTransactions.ts";
import type { CometNode } from "./cometNode.ts";
import { readBlockParts, type BlockHeader, type BlocksPart } from "./readBlockParts.ts";

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
  return readBlockParts(node, range, (header, signal) => readBlockEvents(node, header, isWanted, signal));
}

async function readBlockEvents(
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

/** An event's attributes in order; a key can occur more than once. */
export type Attributes = readonly (readonly [key: string, value: string])[];

/** An event of a VM, or of a packet received over IBC. */
export interface VmEvent {
  /** A call of a Wasm contract has one event `wasm`; events that the contract names begin with `wasm-`. */
  readonly type: "move" | "wasm" | `wasm-${string}` | "recv_packet";
  /** Its position among all events of its transaction, of any type. */
  readonly index: number;
  readonly attributes: Attributes;
}

/** The events of a successful transaction. */
export interface TransactionEvents {
  /** Its position in the block. */
  readonly index: number;
  readonly events: readonly VmEvent[];
}

/**
 * Returns the VM events of a block's transactions for which `isWanted` is true, in chain order. Failed transactions are
 * skipped: their changes were undone, and their only events are about fees.
 *
 * @throws NodeError.
 */
export function readEvents(
  node: CometNode,
  { height, transactions }: BlockPlace,
  isWanted: (event: VmEvent) => boolean,
  signal: AbortSignal,
): Promise<readonly TransactionEvents[]> {
  // Event by event: a full block has hundreds of MB.
  const keep = (element: Answer, index: number): VmEvent | undefined => {
    const event = readVmEvent(element, index);
    return event !== undefined && isWanted(event) ? event : undefined;
  };
  const read = (answer: Answer, lists: readonly (readonly VmEvent[])[]): readonly TransactionEvents[] => {
    requireHeight(answer.optional("height"), height);
    const told = readAllOf(answer.field("txs_results"), transactions).map((result, index) => ({
      index,
      events: result.field("code").count() === 0 ? (lists[indexInList(result.field("events"))] ?? []) : [],
    }));
    return told.filter(({ events }) => events.length > 0);
  };
  return node.readLists("block_results", { height: String(height) }, { field: "events", keep, read }, signal);
}

/** Index of a list among the separately read lists; -1 for none. */
function indexInList(list: Answer): number {
  return list.list()[0]?.count() ?? -1;
}

function readVmEvent(event: Answer, index: number): VmEvent | undefined {
  const type = event.field("type").text();
  if (!isOfVm(type)) return undefined;
  const pairs = event.field("attributes").list();
  const attributes = pairs.map((pair) => [pair.field("key").text(), pair.field("value").text()] as const);
  return { type, index, attributes };
}

function isOfVm(type: string): type is VmEvent["type"] {
  return type === "move" || type === "wasm" || type.startsWith("wasm-") || type === "recv_packet";
}

/** The first value of a key. */
export function firstValue(attributes: Attributes, key: string): string | undefined {
  return attributes.find(([name]) => name === key)?.[1];
}

/** All distinct values of a key. */
export function allValues(attributes: Attributes, key: string): readonly string[] {
  return [...new Set(attributes.filter(([name]) => name === key).map(([, value]) => value))];
}

/**
 * The type of a Move event as the chain writes it; empty for other events. The chain also adds the event's fields as
 * attributes, after its type and data: a field named `type_tag` must not be mistaken for the type.
 */
export function moveTypeTag({ type, attributes }: VmEvent): string {
  const [first] = attributes;
  return type === "move" && first?.[0] === "type_tag" ? first[1] : "";
}
