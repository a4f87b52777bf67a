import type { Answer } from "@vipscore/core/wire";
import { readAllOf, type BlockPlace } from "./blockTransactions.ts";
import type { CometNode } from "./cometNode.ts";

/** An event's attributes in order; a key can occur more than once. */
export type Attributes = readonly (readonly [key: string, value: string])[];

/** An event of a VM. */
export interface VmEvent {
  /** A call of a Wasm contract has one event `wasm`; events that the contract names begin with `wasm-`. */
  readonly type: "move" | "wasm" | `wasm-${string}`;
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
    const told = readAllOf(answer.field("txs_results"), transactions).map((result, index) => ({
      index,
      events: result.field("code").count() === 0 ? (lists[placeOf(result.field("events"))] ?? []) : [],
    }));
    return told.filter(({ events }) => events.length > 0);
  };
  return node.readLists("block_results", { height: String(height) }, { field: "events", keep, read }, signal);
}

/** Index of a list among the separately read lists; -1 for none. */
function placeOf(list: Answer): number {
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
  return type === "move" || type === "wasm" || type.startsWith("wasm-");
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
