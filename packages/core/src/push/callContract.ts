import { BroadcastError } from "../errors/transactionErrors.ts";
import type { OtherCall, ScoreContract } from "../scoreContract.ts";
import { failedTransaction, findRefusal, replacedTransaction } from "./failedTransaction.ts";
import type { Journal } from "./journal.ts";
import { signAndHandOver } from "./signAndHandOver.ts";
import { waitForOutcome, type Included, type WaitOptions } from "./waitForOutcome.ts";

/**
 * Sends one call that is not a batch of scores (finalize, members, owner) and waits for its block.
 *
 * @throws ExecutionError or CheckError with the reason when the contract refuses; BroadcastError; NodeError.
 */
export async function callContract(
  contract: ScoreContract,
  call: OtherCall,
  options: WaitOptions & { readonly journal?: Journal | undefined } = {},
): Promise<Included & { readonly hash: string }> {
  const { journal, signal } = options;
  const gas = contract.getCallGas(call);
  const sign = (sequence: bigint) => contract.sign(call, { sequence, gas, signal });
  const transaction = await signAndHandOver(contract, sign, { journal, rows: 0, signal }).catch(
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
