import type { SignedTransaction } from "../scoreContract.ts";

/** The critical extension with which a transaction asks the mempool of initia v1.4 and later to queue it. Its value is empty. */
export const queuedTxTypeUrl = "/initia.tx.v1.ExtensionOptionQueuedTx";

/** With it a node refuses a plain transaction whose sequence is ahead of committed state; recorded on minimove and miniwasm. */
const asksForQueue = /use extension option \S*ExtensionOptionQueuedTx/;

/**
 * With these a node refuses the extension: initia v1.2 (recorded), a chain of the Cosmos SDK that knows no such extension
 * (`x/auth/ante/ext.go`) or no such type (`codec/types/interface_registry.go`).
 */
const refusesQueue =
  /index out of range \[0\] with length 0|unknown extension options|unable to resolve type URL \S*ExtensionOptionQueuedTx/;

/**
 * In which form a node takes a transaction whose sequence is ahead of committed state: plain, or with the extension
 * {@link queuedTxTypeUrl}. Nodes of initia v1.2 refuse the extension, nodes of v1.4 ask for it, and nothing tells them apart
 * but what they refuse. So the first transactions are plain, and a refusal changes the form.
 */
export class MempoolMemory {
  #isQueued = false;

  /** True if transactions are to carry the extension. */
  get isQueued(): boolean {
    return this.#isQueued;
  }

  /** Learns from the text with which a node refused a transaction. */
  noteRefusal(transaction: Pick<SignedTransaction, "bytes">, text: string): void {
    if (isFormRefusal(transaction, text)) this.#isQueued = asksForQueue.test(text);
  }
}

/** True if the node refused the form of a transaction, and takes the other one. */
export function isFormRefusal({ bytes }: Pick<SignedTransaction, "bytes">, text: string): boolean {
  // The type stands in the transaction as text; a refusal counts only for the form that the transaction has.
  return Buffer.from(bytes).includes(queuedTxTypeUrl) ? refusesQueue.test(text) : asksForQueue.test(text);
}
