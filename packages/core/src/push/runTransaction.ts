import { ExecutionError } from "../errors/transactionErrors.ts";
import type { SignedTransaction } from "../scoreContract.ts";
import { replacedTransaction } from "./failedTransaction.ts";
import { signAndHandOver, type SenderPort, type SignAndHandOverOptions } from "./signAndHandOver.ts";
import { waitForOutcome, type Included, type WaitOptions } from "./waitForOutcome.ts";

/**
 * Signs and broadcasts one transaction that does not call a scoring contract, such as a step of a deployment, and waits for
 * its block.
 *
 * @param name The transaction's name in error messages, for example `instantiate`.
 * @throws ExecutionError when it fails in the block; BroadcastError; NodeError; CheckError `PENDING_TRANSACTIONS`.
 */
export async function runTransaction(
  port: SenderPort,
  name: string,
  sign: (sequence: bigint) => Promise<SignedTransaction>,
  options: WaitOptions & Pick<SignAndHandOverOptions, "sequence" | "onSigned"> = {},
): Promise<Included & { readonly hash: string }> {
  const transaction = await signAndHandOver(port, sign, { ...options, rows: 0 });
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
