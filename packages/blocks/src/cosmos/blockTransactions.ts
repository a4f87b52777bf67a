import { createHash } from "node:crypto";
import type { Answer } from "@vipscore/core/wire";
import type { CometNode } from "./cometNode.ts";
import type { BlockHeader } from "./readBlockParts.ts";

/** The block whose transactions are read. */
export type BlockPlace = Pick<BlockHeader, "height" | "transactions">;

/** The outcome of a transaction. */
export interface TransactionOutcome {
  readonly gasUsed: number;
  readonly success: boolean;
}

export function readTransactions<T>(
  node: CometNode,
  { height, transactions }: BlockPlace,
  decode: (bytes: Buffer) => T,
  signal: AbortSignal,
): Promise<readonly T[]> {
  const read = (answer: Answer): readonly T[] => {
    requireHeight(answer.field("block").optional("header")?.field("height"), height);
    const bytes = readAllOf(answer.field("block").field("data").field("txs"), transactions);
    return bytes.map((each) => decode(each.base64()));
  };
  return node.read("block", { height: String(height) }, read, signal);
}

/** Reads the hashes of a block's transactions: sha256 of their bytes in uppercase hex. @throws NodeError. */
export function readTxHashes(node: CometNode, block: BlockPlace, signal: AbortSignal): Promise<readonly string[]> {
  return readTransactions(node, block, txHashOf, signal);
}

/** The hash of a transaction: sha256 of its bytes in uppercase hex, as the chain writes it. */
export function txHashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex").toUpperCase();
}

export function readOutcomes(
  node: CometNode,
  { height, transactions }: BlockPlace,
  signal: AbortSignal,
): Promise<readonly TransactionOutcome[]> {
  const read = (answer: Answer): readonly TransactionOutcome[] => {
    requireHeight(answer.optional("height"), height);
    return readAllOf(answer.field("txs_results"), transactions).map((result) => ({
      gasUsed: result.field("gas_used").count(),
      success: result.field("code").count() === 0,
    }));
  };
  // Without the events: a full block has hundreds of MB.
  const how = { field: "events", keep: () => undefined, read };
  return node.readLists("block_results", { height: String(height) }, how, signal);
}

/** Checks that an answer which says of what block it is means the one that was asked for. @throws UnreadableAnswer. */
export function requireHeight(found: Answer | undefined, height: number): void {
  if (found !== undefined && found.count() !== height) found.unreadable(`${height}, which was asked for`);
}

/** The elements of a list about a block's transactions, which must be complete. */
export function readAllOf(answer: Answer, transactions: number): readonly Answer[] {
  const parts = answer.list();
  if (parts.length !== transactions) answer.unreadable(`a list for the block's ${transactions} transactions`);
  return parts;
}
