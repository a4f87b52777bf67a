import { ExecutionError } from "../errors/executionError.ts";
import type { SignedTransaction } from "../scoreContract.ts";

/** Returns the error for a dropped transaction: another one used its sequence. */
export function replacedTransaction(
  { hash, sequence }: Pick<SignedTransaction, "hash" | "sequence">,
  ...metaMessages: readonly string[]
): ExecutionError {
  return new ExecutionError(`transaction ${hash} was replaced: another one used sequence ${sequence}`, {
    code: "TRANSACTION_FAILED",
    txHash: hash,
    metaMessages,
  });
}
