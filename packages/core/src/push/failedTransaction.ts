import { ExecutionError } from "../errors/transactionErrors.ts";
import { CheckError, type VipError } from "../errors/vipError.ts";
import type { SignalOptions } from "../readOptions.ts";
import type { ContractCall, ScoreContract, SignedTransaction } from "../scoreContract.ts";
import { checkCall } from "./checkCall.ts";
import type { Included } from "./waitForOutcome.ts";

/**
 * Reads state to find out why a call fails; nodes such as minievm give no reason.
 *
 * @returns the reason, or undefined if the state shows none.
 */
export async function findRefusal(
  contract: ScoreContract,
  call: ContractCall,
  options: SignalOptions = {},
): Promise<VipError | undefined> {
  try {
    await checkCall(contract, call, options);
    return undefined;
  } catch (error) {
    if (error instanceof CheckError) return error;
    throw error;
  }
}

/** Returns the error for a transaction that failed in its block, with the reason from the chain's answer or its state. */
export async function failedTransaction(
  contract: ScoreContract,
  call: ContractCall,
  failed: Included & { readonly hash: string },
  options: SignalOptions = {},
): Promise<VipError> {
  const reason = await findRefusal(contract, call, options);
  return new ExecutionError(reason?.shortMessage ?? `transaction ${failed.hash} failed in block ${failed.height}`, {
    code: reason?.code ?? failed.code ?? "TRANSACTION_FAILED",
    txHash: failed.hash,
    metaMessages: [...(reason?.advice ?? []), `Transaction ${failed.hash}, gas used ${failed.gasUsed}.`],
    ...(failed.details === undefined ? {} : { details: failed.details }),
  });
}

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
