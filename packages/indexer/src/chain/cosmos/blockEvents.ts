import { createHash } from "node:crypto";
import type { Answer } from "@vipscore/core/wire";
import type { CometNode } from "./cometNode.ts";
import type { BlockHeader } from "./readHeaders.ts";

/** An event's attributes, in its order; a key can occur more than once. */
export type Attributes = readonly (readonly [key: string, value: string])[];

/** An event of a VM. */
export interface VmEvent {
  readonly type: "move" | "wasm";
  readonly attributes: Attributes;
}

/** What a transaction that succeeded told. */
export interface TransactionEvents {
  /** Its place in its block. */
  readonly index: number;
  readonly events: readonly VmEvent[];
}

/**
 * The events of the VMs that the transactions of a block told, for which `isWanted` holds, in the order of the chain.
 * Transactions that failed are left out: what they did was undone, and what they told is only that they paid.
 *
 * @throws NodeError.
 */
export function readEvents(
  node: CometNode,
  { height, transactions }: Pick<BlockHeader, "height" | "transactions">,
  isWanted: (event: VmEvent) => boolean,
  signal: AbortSignal,
): Promise<readonly TransactionEvents[]> {
  // Event by event: a block that is full of them has hundreds of MB.
  const keep = (element: Answer): VmEvent | undefined => {
    const event = readVmEvent(element);
    return event !== undefined && isWanted(event) ? event : undefined;
  };
  const read = (answer: Answer, lists: readonly (readonly VmEvent[])[]): readonly TransactionEvents[] => {
    const told = readAllOf(answer.field("txs_results"), transactions).map((result, index) => ({
      index,
      events: result.field("code").count() === 0 ? (lists[placeOf(result.field("events"))] ?? []) : [],
    }));
    return told.filter(({ events }) => events.length > 0);
  };
  return node.readLists("block_results", { height: String(height) }, { field: "events", keep, read }, signal);
}

/** Which of the lists that stand apart a list is; -1 for none. */
function placeOf(list: Answer): number {
  return list.list()[0]?.count() ?? -1;
}

function readVmEvent(event: Answer): VmEvent | undefined {
  const type = event.field("type").text();
  if (type !== "move" && type !== "wasm") return undefined;
  const pairs = event.field("attributes").list();
  const attributes = pairs.map((pair) => [pair.field("key").text(), pair.field("value").text()] as const);
  return { type, attributes };
}

/** The hashes of a block's transactions: sha256 of their bytes in upper-case hex, as the chain writes them. @throws NodeError. */
export function readTxHashes(
  node: CometNode,
  { height, transactions }: Pick<BlockHeader, "height" | "transactions">,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const read = (answer: Answer): readonly string[] => {
    const bytes = readAllOf(answer.field("block").field("data").field("txs"), transactions);
    return bytes.map((each) => createHash("sha256").update(each.base64()).digest("hex").toUpperCase());
  };
  return node.read("block", { height: String(height) }, read, signal);
}

/** The parts of a list about a block's transactions: a part of a block must not be taken for the whole. */
function readAllOf(answer: Answer, transactions: number): readonly Answer[] {
  const parts = answer.list();
  if (parts.length !== transactions) answer.unreadable(`a list for the block's ${transactions} transactions`);
  return parts;
}

/** The first value of a key. */
export function firstValue(attributes: Attributes, key: string): string | undefined {
  return attributes.find(([name]) => name === key)?.[1];
}

/** All values of a key, each once. */
export function allValues(attributes: Attributes, key: string): readonly string[] {
  return [...new Set(attributes.filter(([name]) => name === key).map(([, value]) => value))];
}
