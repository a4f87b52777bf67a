import type { ScoreContract } from "../scoreContract.ts";
import type { Journal } from "./journal.ts";
import { waitForOutcome, type WaitOptions } from "./transactionOutcome.ts";

/**
 * How long a node keeps a transaction behind a gap, in milliseconds, and a margin: initia v1.4's default is 60 s
 * (`abcipp.queued-gap-ttl`).
 */
const gapTimeoutMs = 65_000;

/**
 * Finds out what became of every transaction that an earlier run left without an outcome, before anything is read or
 * sent: one still pending is waited for, one that is nowhere is dropped (its sequence will be used by another, so it can no
 * longer arrive once that one is in a block).
 *
 * One that waits behind a gap, because the node lost an earlier one, is special: it would write its old rows as soon as a new
 * transaction fills the gap. Where the node shows it, it stays unsettled, and is settled once the gap is filled. A mempool of
 * initia v1.4 shows nobody what waits behind a gap, so one that is unknown and ahead is waited for until that node has dropped it.
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
    const isAhead = sent.sequence > (await contract.getSequence(signal));
    const { state } = await contract.lookUp(sent.hash, signal);
    if (isAhead && state === "pending") continue;
    const age = Date.now() - (sent.sentAt ?? Date.now());
    const hidden = isAhead ? { unknownTimeoutMs: Math.max(0, gapTimeoutMs - age) } : {};
    await waitForOutcome(contract, sent, { ...options, ...hidden, journal });
  }
}
