import type { ScoreContract } from "../scoreContract.ts";
import type { Journal } from "./journal.ts";
import { waitForOutcome, type WaitOptions } from "./transactionOutcome.ts";

/**
 * Finds out what became of every transaction that an earlier run left without an outcome, before anything is read or
 * sent: one still pending is waited for, one that is nowhere is dropped (its sequence will be used anew, so it can no
 * longer arrive once the next transaction is in a block). One that waits behind a gap, because the node lost an earlier
 * one, stays unsettled: only a new transaction can fill the gap, and then it is settled in turn.
 *
 * @throws CheckError `PENDING_TRANSACTIONS`; NodeError.
 */
export async function settleJournal(
  contract: ScoreContract,
  journal: Journal,
  options: WaitOptions = {},
): Promise<void> {
  const signal = options.signal === undefined ? {} : { signal: options.signal };
  for (const sent of journal.unsettled) {
    const isBehindGap =
      sent.sequence > (await contract.getSequence(signal)) &&
      (await contract.lookUp(sent.hash, signal)).state === "pending";
    if (!isBehindGap) await waitForOutcome(contract, sent, { ...options, journal });
  }
}
