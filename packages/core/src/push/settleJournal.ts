import { BroadcastError, NodeError } from "../errors/vipError.ts";
import type { ScoreContract, SignedTransaction } from "../scoreContract.ts";
import { patienceMs } from "../time/patience.ts";
import type { Journal } from "./journal.ts";
import type { RunTable, SentRecord } from "./journalFormat.ts";
import { deliver, usedAt, waitForOutcome, type Outcome, type Unclear, type WaitOptions } from "./waitForOutcome.ts";

/** Transactions that are looked up or waited for in parallel. */
const maxParallel = 8;

export interface SettleOptions extends WaitOptions {
  /** Send again what runs of this table signed. Default: nothing. */
  readonly resend?: RunTable | undefined;
}

/**
 * Finds the outcome of every transaction that an earlier run left without one, before anything is read or sent: waits for
 * pending ones, and drops unknown ones (another transaction will use the sequence, after which the dropped one can no longer
 * arrive). Looks them up in parallel; a transaction that is old enough and unknown costs one look-up. Those of the table `resend`
 * are sent again, as the same bytes, which cannot execute twice.
 *
 * A transaction behind a gap, because the node lost an earlier one, is special: it would write its old rows as soon as a new
 * transaction fills the gap. It stays unsettled until the gap is filled. A mempool of initia v1.4 does not show transactions
 * behind a gap, so for one that is unknown and ahead, this waits until the node has dropped it. Its age comes from the wall
 * clock, which may have been changed: if by that clock no waiting is needed, it also stays unsettled.
 */
export async function settleJournal(
  contract: ScoreContract,
  journal: Journal,
  { resend, ...options }: SettleOptions = {},
): Promise<void> {
  if (journal.unsettled.length === 0) return;
  if (resend !== undefined) await sendAgain(contract, journal, resend, options);
  const { signal } = options;
  const next = await contract.getSequence({ signal });
  await forAll(journal.unsettled, signal, (sent, either) =>
    settle(contract, sent, { ...options, signal: either, journal, isAhead: sent.sequence > next }),
  );
}

/** Sends the signed transactions of a table's runs again, from the account's next sequence on, and waits for their outcomes. */
async function sendAgain(
  contract: ScoreContract,
  journal: Journal,
  run: RunTable,
  options: WaitOptions,
): Promise<void> {
  const { signal } = options;
  let next = await contract.getSequence({ signal });
  for (;;) {
    const sent: SignedTransaction[] = [];
    try {
      for (const transaction of journal.signedFor(run)) {
        if (transaction.sequence !== next) continue;
        // The node may take the others only after the block of the first: then they have a turn of their own.
        if (sent.length === 0) await deliver(contract, transaction, undefined, { journal, signal });
        else await contract.broadcast(transaction, { signal });
        sent.push(transaction);
        next += 1n;
      }
    } catch (error) {
      if (!(error instanceof BroadcastError) && (sent.length === 0 || !(error instanceof NodeError))) throw error;
    }
    if (sent.length === 0) return;
    await forAll(sent, signal, (transaction, either) =>
      waitFor(contract, transaction, { ...options, journal, signal: either, unknownTimeoutMs: patienceMs.unknown }),
    );
  }
}

/** Works on all items, a few at a time. A failure is thrown when no work is left that would write to a journal that is closed then. */
async function forAll<Item>(
  items: Iterable<Item>,
  signal: AbortSignal | undefined,
  work: (item: Item, signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const failed = new AbortController();
  const either = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
  // All workers take from one iterator.
  const left = items[Symbol.iterator]();
  const workers = Array.from({ length: maxParallel }, async () => {
    try {
      for (let item = left.next(); item.done !== true; item = left.next()) {
        either.throwIfAborted();
        await work(item.value, either);
      }
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  });
  await Promise.allSettled(workers);
  either.throwIfAborted();
}

interface SettleContext extends WaitOptions {
  readonly signal: AbortSignal;
  readonly journal: Journal;
}

/** @param options `isAhead`: its sequence is above the account's next one, so earlier transactions are missing. */
async function settle(
  contract: ScoreContract,
  { hash, sequence, sentAt }: SentRecord,
  { isAhead, ...options }: SettleContext & { readonly isAhead: boolean },
): Promise<void> {
  const { signal, journal } = options;
  const { state } = await contract.lookUp(hash, { signal });
  if (isAhead && state === "pending") return;
  // If the clock was set back, the transaction seems to be in the future: treat it as new.
  const age = Math.max(0, Date.now() - sentAt);
  const unknownTimeoutMs = Math.max(0, (isAhead ? patienceMs.gap : patienceMs.unknown) - age);
  const isUnknown = state === "unknown" || (state === "unindexed" && isAhead);
  if (isUnknown && unknownTimeoutMs === 0) {
    if (!isAhead) await journal.recordSettled(hash, "dropped");
    return;
  }
  await waitFor(contract, { hash, sequence }, { ...options, unknownTimeoutMs });
}

/** Waits for an outcome, which on a node without an index the use of the sequence decides. */
function waitFor(
  contract: ScoreContract,
  sent: Pick<SignedTransaction, "hash" | "sequence">,
  options: SettleContext & { readonly unknownTimeoutMs: number },
): Promise<Outcome | Unclear> {
  const look = async (hasReceipts: boolean): Promise<Unclear | "waits" | "unclear"> => {
    if (hasReceipts) return "unclear";
    // The stage is read at this height or a later one, and shows what the transaction wrote.
    return (await usedAt(contract, sent, options)) === undefined ? "waits" : { state: "unclear" };
  };
  return waitForOutcome(contract, sent, { ...options, look });
}
