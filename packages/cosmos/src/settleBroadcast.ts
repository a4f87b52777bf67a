import { BroadcastError, NodeError, type SignedTransaction, type TransactionStatus } from "@vipscore/core";
import { HttpStatusError, isBodyRefused } from "@vipscore/core/wire";
import { classifyText, type RefusalKind } from "./refusals.ts";
import { isFormRefusal } from "./transactionSigner.ts";

export interface NodeRefusal {
  readonly kind: RefusalKind;
  /** The node's own text. */
  readonly details: string;
  readonly cause?: unknown;
}

/** The functions that settle a broadcast, for one interface of a node. */
export interface BroadcastRules {
  /** True for an error that, with any text, means that the node did not accept the transaction. */
  readonly isRefusal: (error: unknown) => boolean;
  readonly lookUp: (hash: string) => Promise<TransactionStatus>;
}

/**
 * Decides what the answer to a broadcast means. A refusal counts only after a lookup of the hash: a used sequence may be that
 * of this very transaction, in a block. A server error that is not clearly a refusal leaves the transaction in doubt: nodes
 * have answered "Internal error" for transactions that they had accepted.
 *
 * @param answer - The node's refusal; undefined if it accepted the transaction, which it has checked and not yet put into a
 * block.
 */
export async function settleBroadcast(
  transaction: SignedTransaction,
  answer: Promise<NodeRefusal | undefined>,
  { isRefusal, lookUp }: BroadcastRules,
): Promise<void> {
  const refused = await answer.catch((error: unknown) => refusalOf(transaction, error, isRefusal));
  if (refused === undefined || refused.kind === "known") return;
  const { kind, details, cause } = refused;
  const refusal = isFormRefusal(transaction, details) ? "resign" : kind;
  const { hash, sequence, gas } = transaction;
  if ((await lookUp(hash)).state === "included") return;
  const what = `transaction ${hash} (sequence ${sequence}, gas limit ${gas})`;
  throw new BroadcastError(`the node refused ${what}: ${details.slice(0, 500)}`, {
    refusal,
    details,
    ...(cause === undefined ? {} : { cause }),
  });
}

function refusalOf(
  transaction: SignedTransaction,
  error: unknown,
  isRefusal: BroadcastRules["isRefusal"],
): NodeRefusal {
  const details = error instanceof NodeError ? (error.details ?? error.shortMessage) : String(error);
  const kind = isFormRefusal(transaction, details) ? "resign" : classifyError(transaction, error, isRefusal);
  if (kind === undefined) throw error;
  return { kind, details, cause: error };
}

function classifyError(
  { bytes }: SignedTransaction,
  error: unknown,
  isRefusal: BroadcastRules["isRefusal"],
): RefusalKind | undefined {
  if (!(error instanceof NodeError)) return undefined;
  const kind = classifyText(error.details ?? "");
  const isTooLarge = isBodyRefused(error, bytes.length);
  if (error instanceof HttpStatusError) return isTooLarge || kind === "too-large" ? "too-large" : undefined;
  // Any other code belongs to a failed exchange, whose text is not the node's.
  if (error.code !== "NODE_ERROR") return undefined;
  if (kind === undefined && isTooLarge) return "too-large";
  return kind ?? (isRefusal(error) ? "other" : undefined);
}
