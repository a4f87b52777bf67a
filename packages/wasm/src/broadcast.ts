import { NodeError, type SignedTransaction, type TransactionStatus } from "@vipscore/core";
import { classifyRefusal, settleFailure, settleRefusal } from "@vipscore/core/cosmos";
import { isRequestFault } from "./cometErrors.ts";
import type { CometRpc } from "./cometRpc.ts";
import { lookUp } from "./lookUp.ts";

/**
 * Hands a signed transaction to the node, once, and waits until the node has checked it, not for a block. A refusal
 * counts only after the node was asked for the hash: the sequence of a transaction that is in a block is used. An error
 * of the server that is not clearly a refusal leaves the transaction in doubt.
 *
 * @throws BroadcastError when the node refuses the transaction and does not have it; NodeError when no answer came, or
 * none that settles whether the node has it.
 */
export async function broadcast(
  comet: CometRpc,
  transaction: SignedTransaction,
  signal: AbortSignal | undefined,
): Promise<void> {
  const find = (hash: string): Promise<TransactionStatus> => lookUp(comet, hash, signal);
  let answer;
  try {
    const { bytes: tx } = transaction;
    answer = await comet.send("broadcast_tx_sync", (client) => client.broadcastTxSync({ tx }), signal);
  } catch (error) {
    return settleFailure(transaction, error, isRequestFault, find);
  }
  const { code, codespace = "", log = "" } = answer;
  if (code !== 0) {
    const kind = classifyRefusal({ codespace, code, log });
    return settleRefusal(transaction, { kind, details: `${codespace} code ${code}: ${log}` }, find);
  }
  const hash = Buffer.from(answer.hash).toString("hex").toUpperCase();
  if (hash === transaction.hash) return;
  throw new NodeError(`${comet.endpoint} answered transaction ${transaction.hash} with another hash`, {
    code: "NODE_BAD_RESPONSE",
    details: hash.slice(0, 200),
  });
}
