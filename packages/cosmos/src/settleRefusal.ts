import { BroadcastError, NodeError, type SignedTransaction, type TransactionStatus } from "@vipscore/core";
import { HttpStatusError } from "@vipscore/core/wire";
import { isFormRefusal } from "./mempoolMemory.ts";
import { classifyText, type RefusalKind } from "./refusals.ts";

/** What a node answered when it did not accept a transaction. */
export interface NodeRefusal {
  readonly kind: RefusalKind;
  /** The node's own text. */
  readonly details: string;
  readonly cause?: unknown;
}

/**
 * Decides what a node's refusal means. A refusal counts only after looking up the hash: a transaction that is in a block
 * has used its sequence.
 *
 * @throws BroadcastError unless the node has the transaction.
 */
export async function settleRefusal(
  transaction: SignedTransaction,
  { kind, details, cause }: NodeRefusal,
  lookUp: (hash: string) => Promise<TransactionStatus>,
): Promise<void> {
  if (kind === "known") return;
  const refusal = isFormRefusal(transaction, details) ? "resign" : kind;
  if ((await lookUp(transaction.hash)).state !== "unknown") return;
  const { hash, sequence, gas } = transaction;
  const what = `transaction ${hash} (sequence ${sequence}, gas limit ${gas})`;
  throw new BroadcastError(`the node refused ${what}: ${details.slice(0, 500)}`, {
    refusal,
    details,
    ...(cause === undefined ? {} : { cause }),
  });
}

/**
 * Decides what a broadcast without a result means, like {@link settleRefusal} if the error is clearly a refusal. A server
 * error is not: nodes have answered "Internal error" for transactions that they had accepted.
 *
 * @param isRefusal - True for an error that, with any text, means that the node did not accept the transaction.
 * @throws BroadcastError unless the node has the transaction; the error itself if the transaction is in doubt.
 */
export async function settleFailure(
  transaction: SignedTransaction,
  error: unknown,
  isRefusal: (error: unknown) => boolean,
  lookUp: (hash: string) => Promise<TransactionStatus>,
): Promise<void> {
  const details = error instanceof NodeError ? (error.details ?? error.shortMessage) : String(error);
  const kind = isFormRefusal(transaction, details) ? "resign" : kindOf(error, isRefusal);
  if (kind === undefined) throw error;
  return settleRefusal(transaction, { kind, details, cause: error }, lookUp);
}

function kindOf(error: unknown, isRefusal: (error: unknown) => boolean): RefusalKind | undefined {
  if (!(error instanceof NodeError)) return undefined;
  const kind = classifyText(error.details ?? "");
  if (error instanceof HttpStatusError) return error.status === 413 || kind === "too-large" ? "too-large" : undefined;
  // Any other code belongs to a failed exchange, whose text is not the node's.
  if (error.code !== "NODE_ERROR") return undefined;
  return kind ?? (isRefusal(error) ? "other" : undefined);
}
