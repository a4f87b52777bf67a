import { createHash } from "node:crypto";
import { CometAnswer } from "./cometAnswer.ts";
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
export async function readEvents(
  node: CometNode,
  { height, transactions }: Pick<BlockHeader, "height" | "transactions">,
  isWanted: (event: VmEvent) => boolean,
  signal: AbortSignal,
): Promise<readonly TransactionEvents[]> {
  const method = "block_results";
  // Event by event: a block that is full of them has hundreds of MB.
  const keep = (value: unknown): VmEvent | undefined => {
    const event = readVmEvent(new CometAnswer({ endpoint: node.endpoint, method }, value, "an event"));
    return event !== undefined && isWanted(event) ? event : undefined;
  };
  const choice = { field: "events", keep };
  const { answer, lists } = await node.askLists(method, { height: String(height) }, choice, signal);
  const results = answer.at("txs_results").list();
  checkCount(answer, results, transactions);
  const told = results.map((result, index) => ({
    index,
    events: result.at("code").count() === 0 ? (lists[placeOf(result.at("events"))] ?? []) : [],
  }));
  return told.filter(({ events }) => events.length > 0);
}

/** Which of the lists that stand apart a list is; -1 for none. */
function placeOf(list: CometAnswer): number {
  return list.list()[0]?.count() ?? -1;
}

function readVmEvent(event: CometAnswer): VmEvent | undefined {
  const type = event.at("type").text();
  if (type !== "move" && type !== "wasm") return undefined;
  const attributes = event.at("attributes").list();
  return { type, attributes: attributes.map((pair) => [pair.at("key").text(), pair.at("value").text()] as const) };
}

/** The hashes of a block's transactions: sha256 of their bytes in upper-case hex, as the chain writes them. @throws NodeError. */
export async function readTxHashes(
  node: CometNode,
  { height, transactions: count }: Pick<BlockHeader, "height" | "transactions">,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const answer = await node.ask("block", { height: String(height) }, signal);
  const transactions = answer.at("block").at("data").at("txs").list();
  checkCount(answer, transactions, count);
  return transactions.map((bytes) => createHash("sha256").update(bytes.bytes()).digest("hex").toUpperCase());
}

/** A part of a block must not be taken for the whole. */
function checkCount(answer: CometAnswer, found: readonly unknown[], count: number): void {
  if (found.length !== count) answer.unreadable(`${found.length} transactions of a block that has ${count}`);
}

/** The first value of a key. */
export function firstValue(attributes: Attributes, key: string): string | undefined {
  return attributes.find(([name]) => name === key)?.[1];
}

/** All values of a key, each once. */
export function allValues(attributes: Attributes, key: string): readonly string[] {
  return [...new Set(attributes.filter(([name]) => name === key).map(([, value]) => value))];
}
