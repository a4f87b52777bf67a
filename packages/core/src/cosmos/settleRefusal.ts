import { BroadcastError } from "../errors/broadcastError.ts";
import { NodeError } from "../errors/nodeError.ts";
import { HttpStatusError } from "../wire/httpStatusError.ts";
import type { SignedTransaction, TransactionStatus } from "../scoreContract.ts";
import { isFormRefusal } from "./mempoolMemory.ts";
import { classifyText, type RefusalKind } from "./refusals.ts";

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
 * Decides what a broadcast without a result means, as {@link settleRefusal} does where the error is clearly a refusal. A
 * server error is not: "Internal error" was seen for transactions that the node had taken.
 *
 * @param isRefusal - True for an error that says, whatever its text, that the node did not take the transaction.
 * @throws BroadcastError unless the node has the transaction; the error itself where the transaction is in doubt.
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
  const said = classifyText(error.details ?? "");
  if (error instanceof HttpStatusError) return error.status === 413 || said === "too-large" ? "too-large" : undefined;
  // Any other code is that of a failed exchange, whose text is not the node's.
  if (error.code !== "NODE_ERROR") return undefined;
  return said ?? (isRefusal(error) ? "other" : undefined);
}
