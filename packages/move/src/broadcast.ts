import type { SignedTransaction, TransactionStatus } from "@vipscore/core";
import { RestError, type Answer, type RestClient } from "@vipscore/core/wire";
import { classifyRefusal, settleFailure, settleRefusal, type NodeRefusal } from "@vipscore/cosmos";
import { lookUp } from "./lookUp.ts";

/** The node's code for a full mempool (`ErrMempoolIsFull` of the Cosmos SDK). */
const mempoolFullCode = 20;

/**
 * Sends a signed transaction to the node, once, and waits until the node has checked it, not for a block. A refusal
 * counts only after a lookup of the hash: a used sequence may be that of this very transaction, in a block. A server
 * error that is not clearly a refusal leaves the transaction in doubt.
 *
 * @throws BroadcastError when the node refuses the transaction and does not have it; NodeError when the node does not
 * answer, or when its answer leaves open whether it has the transaction.
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

/** Why the node did not accept a transaction; undefined if it did. */
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
