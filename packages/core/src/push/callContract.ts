import { BroadcastError, ExecutionError, isFailedCheck, type VipError } from "../errors/vipError.ts";
import type { SignalOptions } from "../readOptions.ts";
import type { ContractCall, OtherCall, ScoreContract, SignedTransaction } from "../scoreContract.ts";
import { checkCall } from "./checkCall.ts";
import type { Journal } from "./journal.ts";
import {
  signAndSubmit,
  waitForOutcome,
  type Included,
  type SenderPort,
  type SignAndSubmitOptions,
  type WaitOptions,
} from "./waitForOutcome.ts";

/**
 * Sends one call that is not a batch of scores (finalize, members, owner) and waits for its block.
 *
 * @throws ExecutionError or VipError with the reason when the contract refuses; BroadcastError; NodeError.
 */
export async function callContract(
  contract: ScoreContract,
  call: OtherCall,
  options: WaitOptions & { readonly journal?: Journal | undefined } = {},
): Promise<Included & { readonly hash: string }> {
  const { journal, signal } = options;
  const gas = contract.getCallGas(call);
  const sign = (sequence: bigint) => contract.sign(call, { sequence, gas, signal });
  const transaction = await signAndSubmit(contract, sign, { journal, rows: 0, signal }).catch(
    async (error: unknown) => {
      if (!(error instanceof BroadcastError) || error.refusal !== "execution") throw error;
      throw (await findRefusal(contract, call, { signal })) ?? error;
    },
  );
  const outcome = await waitForOutcome(contract, transaction, options);
  if (outcome.state === "dropped") {
    throw replacedTransaction(
      transaction,
      "Is another program signing with the same key? Try again when that program is done.",
    );
  }
  if (!outcome.succeeded)
    throw await failedTransaction(contract, call, { ...outcome, hash: transaction.hash }, { signal });
  return { ...outcome, hash: transaction.hash };
}

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
    if (!isFailedCheck(error)) throw error;
    return error;
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

/**
 * Signs and broadcasts one transaction that does not call a scoring contract, such as a step of a deployment, and waits for
 * its block.
 *
 * @param name The transaction's name in error messages, for example `instantiate`.
 * @throws ExecutionError when it fails in the block; BroadcastError; NodeError; VipError `PENDING_TRANSACTIONS`.
 */
export async function runTransaction(
  port: SenderPort,
  name: string,
  sign: (sequence: bigint) => Promise<SignedTransaction>,
  options: WaitOptions & Pick<SignAndSubmitOptions, "sequence" | "onSigned"> = {},
): Promise<Included & { readonly hash: string }> {
  const transaction = await signAndSubmit(port, sign, { ...options, rows: 0 });
  const { hash } = transaction;
  const outcome = await waitForOutcome(port, transaction, options);
  if (outcome.state === "dropped") {
    throw replacedTransaction(transaction, "Is another program signing with the same key?");
  }
  if (!outcome.succeeded) {
    const { height, gasUsed, details = "the node gives no reason" } = outcome;
    throw new ExecutionError(`${name} failed in block ${height}: ${details}`, {
      code: outcome.code ?? "TRANSACTION_FAILED",
      txHash: hash,
      metaMessages: [`Transaction ${hash}, gas used ${gasUsed}.`],
      details,
    });
  }
  return { ...outcome, hash };
}
