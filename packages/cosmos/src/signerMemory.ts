import type { SignedTransaction } from "@vipscore/core";
import { expectedSequence } from "./refusals.ts";

/** The critical extension that asks the mempool of initia v1.4 and later to queue a transaction. Its value is empty. */
export const queuedTxTypeUrl = "/initia.tx.v1.ExtensionOptionQueuedTx";

/** A node's refusal of a plain transaction whose sequence is ahead of committed state; recorded on minimove and miniwasm. */
const asksForQueue = /use extension option \S*ExtensionOptionQueuedTx/;

/**
 * Refusals of the extension: from initia v1.2 (recorded), from a Cosmos SDK chain that does not know the extension
 * (`x/auth/ante/ext.go`) or its type (`codec/types/interface_registry.go`).
 */
const refusesQueue =
  /index out of range \[0\] with length 0|unknown extension options|unable to resolve type URL \S*ExtensionOptionQueuedTx/;

type RefusedTransaction = Pick<SignedTransaction, "bytes" | "hasOtherForm">;

/**
 * The form in which a node accepts a transaction whose sequence is ahead of committed state: plain, or with the extension
 * {@link queuedTxTypeUrl}. Nodes of initia v1.2 refuse the extension and nodes of v1.4 require it; only their refusals
 * show which. So the first transactions are plain, and a refusal changes the form.
 */
export class MempoolMemory {
  #isQueued = false;

  /** True if transactions must carry the extension. */
  get isQueued(): boolean {
    return this.#isQueued;
  }

  /** Learns from the text with which a node refused a transaction. */
  noteRefusal(transaction: RefusedTransaction, text: string): void {
    if (isFormRefusal(transaction, text)) this.#isQueued = asksForQueue.test(text);
  }
}

/** True if the node refused the form of a transaction and accepts the other form. */
export function isFormRefusal({ bytes, hasOtherForm = true }: RefusedTransaction, text: string): boolean {
  if (!hasOtherForm) return false;
  // The transaction contains the type as text; a refusal counts only for the form that the transaction has.
  return Buffer.from(bytes).includes(queuedTxTypeUrl) ? refusesQueue.test(text) : asksForQueue.test(text);
}

/**
 * The sequence of an account's next transaction. A Cosmos SDK node reports it without pending transactions; the sequence
 * that includes them appears only in the text of a refusal.
 */
export class SequenceMemory {
  #expected: bigint | undefined;

  /** Remembers the sequence that a node expects, if the text of its refusal names it. */
  noteRefusal(text: string): void {
    this.#expected = expectedSequence(text) ?? this.#expected;
  }

  /**
   * Returns the next sequence, given the chain's state. A remembered sequence is used once: by the next call, pending
   * transactions may be in a block or dropped.
   */
  next(inState: bigint): bigint {
    const expected = this.#expected ?? inState;
    this.#expected = undefined;
    return expected > inState ? expected : inState;
  }
}
