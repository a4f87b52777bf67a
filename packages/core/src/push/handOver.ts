import { NodeError } from "../errors/nodeError.ts";
import { BroadcastError } from "../errors/transactionErrors.ts";
import type { SignalOptions } from "../readOptions.ts";
import type { ScoreContract, SignedTransaction, TransactionStatus } from "../scoreContract.ts";
import { Patience, patienceMs, pollUntil } from "../time/patience.ts";
import type { Journal } from "./journal.ts";

/** The methods to broadcast a transaction and follow it; a deployment has them before the contract exists. */
export type TransactionPort = Pick<ScoreContract, "broadcast" | "lookUp">;

type Known = Exclude<TransactionStatus, { state: "unknown" }>;
/**
 * Writes the journal line, then broadcasts the transaction. If the answer is lost or inconclusive, the transaction is in doubt:
 * looks up its hash, and while the node does not know it, broadcasts the same signed bytes again, which can never execute
 * twice.
 *
 * @throws BroadcastError when the node refuses it; NodeError when it stays in doubt for 30 seconds; the journal then keeps
 * it.
 */
export async function handOver(
  port: TransactionPort,
  transaction: SignedTransaction,
  { journal, rows, signal }: SignalOptions & { readonly journal?: Journal | undefined; readonly rows: number },
): Promise<void> {
  await journal?.recordSent(transaction, rows);
  const patience = new Patience({ forMs: patienceMs.outage });
  for (let isInDoubt = false; ; isInDoubt = true) {
    let doubt: NodeError;
    try {
      await port.broadcast(transaction, { signal });
      return;
    } catch (error) {
      if (error instanceof BroadcastError) {
        // An earlier attempt may have arrived and be the reason for this refusal.
        if (isInDoubt && (await findLate(port, transaction.hash, { signal })) !== undefined) return;
        await journal?.recordSettled(transaction.hash, "refused");
        throw error;
      }
      if (!(error instanceof NodeError)) throw error;
      doubt = error;
    }
    if (await isKnown(port, transaction.hash, { signal })) return;
    if (!(await patience.pause(signal, doubt.retryAfterMs))) throw doubt;
  }
}

/** Returns whether the node shows the transaction; false also if it does not answer. */
async function isKnown(port: TransactionPort, hash: string, { signal }: SignalOptions): Promise<boolean> {
  try {
    return (await port.lookUp(hash, { signal })).state !== "unknown";
  } catch (error) {
    if (error instanceof NodeError) return false;
    throw error;
  }
}

/**
 * Polls for a transaction that should be known according to the node's refusal: a lagging node does not show it yet.
 *
 * @returns undefined if the endpoint does not know it after five seconds.
 */
export function findLate(port: TransactionPort, hash: string, { signal }: SignalOptions): Promise<Known | undefined> {
  return pollUntil(
    async () => {
      const status = await port.lookUp(hash, { signal });
      return status.state === "unknown" ? undefined : status;
    },
    { timeoutMs: patienceMs.lag, signal },
  );
}
