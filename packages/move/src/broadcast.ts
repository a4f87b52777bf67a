import type { SignedTransaction, TransactionStatus } from "@vipscore/core";
import { classifyRefusal, settleFailure, settleRefusal, type NodeRefusal } from "@vipscore/core/cosmos";
import { RestError, type Answer, type RestClient } from "@vipscore/core/wire";
import { lookUp } from "./lookUp.ts";

/** A code with which the node says that it has no room for now (`ErrMempoolIsFull` of the Cosmos SDK). */
const mempoolFullCode = 20;

/**
 * Hands a signed transaction to the node, once, and waits until the node has checked it, not for a block. A refusal
 * counts only after the node was asked for the hash: the sequence of a transaction that is in a block is used. An error
 * of the server that is not clearly a refusal leaves the transaction in doubt.
 *
 * @throws BroadcastError when the node refuses the transaction and does not have it; NodeError when no answer came, or
 * none that settles whether the node has it.
 */
export async function broadcast(
  rest: RestClient,
  transaction: SignedTransaction,
  signal: AbortSignal | undefined,
): Promise<void> {
  const body = { tx_bytes: Buffer.from(transaction.bytes).toString("base64"), mode: "BROADCAST_MODE_SYNC" };
  const find = (hash: string): Promise<TransactionStatus> => lookUp(rest, hash, signal);
  let refusal: NodeRefusal | undefined;
  try {
    refusal = await rest.send("/cosmos/tx/v1beta1/txs", body, (answer) => readRefusal(answer, transaction), { signal });
  } catch (error) {
    return settleFailure(transaction, error, (failure) => failure instanceof RestError && failure.status < 500, find);
  }
  if (refusal !== undefined) await settleRefusal(transaction, refusal, find);
}

/** Why the node did not take a transaction; undefined where it took it. */
function readRefusal(answer: Answer, { hash }: SignedTransaction): NodeRefusal | undefined {
  const result = answer.field("tx_response");
  const code = result.field("code").integer();
  const log = result.field("raw_log").text();
  if (code === 0) {
    const field = result.field("txhash");
    return field.text().toUpperCase() === hash ? undefined : field.unreadable(`${hash}, which was sent`);
  }
  const codespace = result.field("codespace").text();
  const kind = classifyRefusal({ codespace, code, log });
  const details = code === mempoolFullCode && log === "" ? "mempool is full" : log || `${codespace} code ${code}`;
  return { kind, details };
}
