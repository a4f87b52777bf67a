import type { SignedTransaction, TransactionStatus } from "@vipscore/core";
import { isRequestFault, type Answer, type JsonRpc } from "@vipscore/core/wire";
import { classifyRefusal, settleFailure, settleRefusal } from "@vipscore/cosmos";
import { lookUp, readOutcome } from "./lookUp.ts";
import type { Failure } from "./parseFailure.ts";

/**
 * Sends a signed transaction to the node, once, and waits until the node has checked it, not for a block. A refusal
 * counts only after a lookup of the hash: a used sequence may be that of this very transaction, in a block. A server
 * error that is not clearly a refusal leaves the transaction in doubt.
 *
 * @throws BroadcastError when the node refuses the transaction and does not have it; NodeError when the node does not
 * answer, or when its answer leaves open whether it has the transaction.
 */
export async function broadcast(
  comet: JsonRpc,
  transaction: SignedTransaction,
  signal: AbortSignal | undefined,
): Promise<void> {
  const find = (hash: string): Promise<TransactionStatus> => lookUp(comet, hash, signal);
  const read = (answer: Answer): Failure => {
    const outcome = readOutcome(answer);
    const hash = answer.field("hash");
    const isOther = hash.text().toUpperCase() !== transaction.hash;
    return isOther && outcome.code === 0 ? hash.unreadable(`${transaction.hash}, which was sent`) : outcome;
  };
  let outcome;
  try {
    const tx = Buffer.from(transaction.bytes).toString("base64");
    outcome = await comet.send("broadcast_tx_sync", { tx }, read, signal);
  } catch (error) {
    return settleFailure(transaction, error, isRequestFault, find);
  }
  const { code, codespace, log } = outcome;
  if (code === 0) return;
  const kind = classifyRefusal(outcome);
  return settleRefusal(transaction, { kind, details: `${codespace} code ${code}: ${log}` }, find);
}
