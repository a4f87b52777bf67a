import { BroadcastError } from "../errors/transactionErrors.ts";
import type { SignalOptions } from "../readOptions.ts";
import type { ScoreContract, SignedTransaction } from "../scoreContract.ts";
import { patienceMs, pollUntil } from "../time/patience.ts";
import { handOver, type TransactionPort } from "./handOver.ts";
import type { Journal } from "./journal.ts";

/** The methods to send an account's transactions. */
export type SenderPort = TransactionPort & Pick<ScoreContract, "getSequence">;

/** Maximum number of signatures per transaction: a node may require another form, price or sequence. */
const maxSignatures = 4;

export interface SignAndHandOverOptions extends SignalOptions {
  /** The required sequence. Default: the account's next one, or another one if the node refuses that. */
  readonly sequence?: bigint | undefined;
  readonly journal?: Journal | undefined;
  /** Rows that the transaction writes, for the journal. */
  readonly rows: number;
  /** Called with each transaction before it is sent. */
  readonly onSigned?: (transaction: SignedTransaction) => void;
}

/**
 * Signs a transaction and broadcasts it; signs it again if the node accepts it only in another form, for another price or with
 * another sequence.
 *
 * @throws BroadcastError when the node refuses it; NodeError when it stays in doubt; the journal then keeps it.
 */
export async function signAndHandOver(
  port: SenderPort,
  sign: (sequence: bigint) => Promise<SignedTransaction>,
  options: SignAndHandOverOptions,
): Promise<SignedTransaction> {
  const { journal, rows, onSigned, sequence: required, signal } = options;
  let sequence = required ?? (await port.getSequence({ signal }));
  let refused: { readonly hash: string; readonly error: BroadcastError } | undefined;
  for (let signing = 1; ; signing += 1) {
    const transaction = await sign(sequence);
    // The chain's price is still the one that the node refused: it would refuse the same bytes again.
    if (refused?.error.refusal === "fee" && refused.hash === transaction.hash) throw refused.error;
    onSigned?.(transaction);
    try {
      await handOver(port, transaction, { journal, rows, signal });
      return transaction;
    } catch (error) {
      if (!(error instanceof BroadcastError) || signing === maxSignatures) throw error;
      refused = { hash: transaction.hash, error };
      if (error.refusal === "resign" || error.refusal === "fee") continue;
      if (error.refusal !== "sequence" || required !== undefined) throw error;
      sequence = await sequenceAfter(port, sequence, { signal });
    }
  }
}

/**
 * Returns the account's next sequence after the node refused `refused`. A lagging node still reports the refused one, so this
 * polls for another one, for up to five seconds.
 */
export async function sequenceAfter(port: SenderPort, refused: bigint, { signal }: SignalOptions): Promise<bigint> {
  const other = await pollUntil(
    async () => {
      const sequence = await port.getSequence({ signal });
      return sequence === refused ? undefined : sequence;
    },
    { timeoutMs: patienceMs.lag, signal },
  );
  return other ?? refused;
}
