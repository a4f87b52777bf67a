import type { ScoreContract } from "../scoreContract.ts";
import { patienceMs } from "../time/patience.ts";
import type { Journal } from "./journal.ts";
import type { SentRecord } from "./journalFormat.ts";
import { waitForOutcome, type WaitOptions } from "./waitForOutcome.ts";

/** Transactions that are looked up or waited for in parallel. */
const maxParallel = 8;

/**
 * Finds the outcome of every transaction that an earlier run left without one, before anything is read or sent: waits for
 * pending ones, and drops unknown ones (another transaction will use the sequence, after which the dropped one can no longer
 * arrive). Looks them up in parallel; a transaction that is old enough and unknown costs one look-up.
 *
 * A transaction behind a gap, because the node lost an earlier one, is special: it would write its old rows as soon as a new
 * transaction fills the gap. It stays unsettled until the gap is filled. A mempool of initia v1.4 does not show transactions
 * behind a gap, so for one that is unknown and ahead, this waits until the node has dropped it. Its age comes from the wall
 * clock, which may have been changed: if by that clock no waiting is needed, it also stays unsettled.
 *
 * @throws VipError `PENDING_TRANSACTIONS`; NodeError.
 */
export async function settleJournal(
  contract: ScoreContract,
  journal: Journal,
  options: WaitOptions = {},
): Promise<void> {
  if (journal.unsettled.length === 0) return;
  const { signal } = options;
  const next = await contract.getSequence({ signal });
  const failed = new AbortController();
  const either = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
  const left = journal.unsettled.values();
  const work = async (): Promise<void> => {
    // All workers take from one iterator.
    for (const sent of left) {
      either.throwIfAborted();
      await settle(contract, sent, { ...options, signal: either, journal, isAhead: sent.sequence > next });
    }
  };
  const workers = Array.from({ length: maxParallel }, async () => {
    try {
      await work();
    } catch (error) {
      // Otherwise the other workers would write to a journal that the caller closes.
      failed.abort(error);
      throw error;
    }
  });
  await Promise.allSettled(workers);
  either.throwIfAborted();
}

interface SettleOptions extends WaitOptions {
  readonly signal: AbortSignal;
  readonly journal: Journal;
  /** True if its sequence is above the account's next one: earlier transactions are missing. */
  readonly isAhead: boolean;
}

async function settle(contract: ScoreContract, sent: SentRecord, options: SettleOptions): Promise<void> {
  const { signal, journal, isAhead } = options;
  const { state } = await contract.lookUp(sent.hash, { signal });
  if (isAhead && state === "pending") return;
  // If the clock was set back, the transaction seems to be in the future: treat it as new.
  const age = sent.sentAt === undefined ? 0 : Math.max(0, Date.now() - sent.sentAt);
  const unknownTimeoutMs = Math.max(0, (isAhead ? patienceMs.gap : patienceMs.unknown) - age);
  if (state === "unknown" && unknownTimeoutMs === 0) {
    if (!isAhead) await journal.recordSettled(sent.hash, "dropped");
    return;
  }
  await waitForOutcome(contract, sent, { ...options, unknownTimeoutMs });
}
