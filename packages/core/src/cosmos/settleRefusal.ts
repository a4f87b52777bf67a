import { BroadcastError } from "../errors/broadcastError.ts";
import type { SignedTransaction, TransactionStatus } from "../scoreContract.ts";
import type { RefusalKind } from "./refusals.ts";

/** What a node said when it did not take a transaction. */
export interface NodeRefusal {
  readonly kind: RefusalKind;
  /** The node's own text. */
  readonly details: string;
  readonly cause?: unknown;
}

/**
 * Decides what a node's refusal means. It counts only after the node was asked for the hash: the sequence of a
 * transaction that is in a block is used.
 *
 * @throws BroadcastError unless the node has the transaction.
 */
export async function settleRefusal(
  transaction: SignedTransaction,
  { kind, details, cause }: NodeRefusal,
  lookUp: (hash: string) => Promise<TransactionStatus>,
): Promise<void> {
  if (kind === "known") return;
  if ((await lookUp(transaction.hash)).state !== "unknown") return;
  const { hash, sequence, gas } = transaction;
  const what = `transaction ${hash} (sequence ${sequence}, gas limit ${gas})`;
  throw new BroadcastError(`the node refused ${what}: ${details.slice(0, 500)}`, {
    refusal: kind,
    details,
    ...(cause === undefined ? {} : { cause }),
  });
}
