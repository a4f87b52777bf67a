import type { ScoreContract } from "../scoreContract.ts";
import type { Journal } from "./journal.ts";
import type { SentRecord } from "./journalFormat.ts";
import { defaultUnknownTimeoutMs, waitForOutcome, type WaitOptions } from "./waitForOutcome.ts";

/**
 * How long a node keeps a transaction behind a gap, in milliseconds, and a margin: initia v1.4's default is 60 s
 * (`abcipp.queued-gap-ttl`).
 */
const gapTimeoutMs = 65_000;

/** Transactions that are looked up, or waited for, at once. */
const mostAtOnce = 8;

/**
 * Finds out what became of every transaction that an earlier run left without an outcome, before anything is read or
 * sent: one still pending is waited for, one that is nowhere is dropped (its sequence will be used by another, so it can no
 * longer arrive once that one is in a block). All are looked up at once; one that the node had time to show and does not
 * know costs one look-up.
 *
 * One that waits behind a gap, because the node lost an earlier one, is special: it would write its old rows as soon as a new
 * transaction fills the gap. It stays unsettled, and is settled once the gap is filled. A mempool of initia v1.4 shows nobody
 * what waits behind a gap, so one that is unknown and ahead is waited for until that node has dropped it. How old it is says
 * the wall clock, which may have been changed: where that says that nothing is to wait for, it stays unsettled too.
 *
 * @throws CheckError `PENDING_TRANSACTIONS`; NodeError.
 */
export async function settleJournal(
  contract: ScoreContract,
  journal: Journal,
  options: WaitOptions = {},
): Promise<void> {
  if (journal.unsettled.length === 0) return;
  const next = await contract.getSequence(options);
  const failed = new AbortController();
  const either = options.signal === undefined ? failed.signal : AbortSignal.any([options.signal, failed.signal]);
  const left = journal.unsettled.values();
  const work = async (): Promise<void> => {
    // All workers take from one iterator.
    for (const sent of left) {
      either.throwIfAborted();
      await settle(contract, sent, { ...options, signal: either, journal, isAhead: sent.sequence > next });
    }
  };
  const workers = Array.from({ length: mostAtOnce }, async () => {
    try {
      await work();
    } catch (error) {
      // The others would go on writing to a journal that the caller closes.
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
  /** Its sequence is above that of the account's next transaction: others are missing before it. */
  readonly isAhead: boolean;
}

async function settle(contract: ScoreContract, sent: SentRecord, options: SettleOptions): Promise<void> {
  const { signal, journal, isAhead } = options;
  const { state } = await contract.lookUp(sent.hash, { signal });
  if (isAhead && state === "pending") return;
  // A clock that was set back makes a transaction of the future; it may be as young as that.
  const age = sent.sentAt === undefined ? 0 : Math.max(0, Date.now() - sent.sentAt);
  const unknownTimeoutMs = Math.max(0, (isAhead ? gapTimeoutMs : defaultUnknownTimeoutMs) - age);
  if (state === "unknown" && unknownTimeoutMs === 0) {
    if (!isAhead) await journal.recordSettled(sent.hash, "dropped");
    return;
  }
  await waitForOutcome(contract, sent, { ...options, unknownTimeoutMs });
}
