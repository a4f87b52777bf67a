import { NodeError, type SignedTransaction, type TransactionStatus } from "@vipscore/core";
import { classifyRefusal, settleFailure, settleRefusal } from "@vipscore/core/cosmos";
import { type RestAnswer, RestError, type RestClient } from "@vipscore/core/http";
import { lookUp } from "./lookUp.ts";
import { readObject, readText, unreadable } from "./readField.ts";

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
  const path = "/cosmos/tx/v1beta1/txs";
  const body = { tx_bytes: Buffer.from(transaction.bytes).toString("base64"), mode: "BROADCAST_MODE_SYNC" };
  const find = (hash: string): Promise<TransactionStatus> => lookUp(rest, hash, signal);
  let answer: RestAnswer;
  try {
    answer = await rest.send(path, body, { signal });
  } catch (error) {
    return settleFailure(transaction, error, (failure) => failure instanceof RestError && failure.status < 500, find);
  }
  const source = { rest, path };
  const result = readObject(source, answer, "tx_response");
  const { code } = result;
  if (typeof code !== "number") return unreadable(source, "code", code);
  const log = readText(source, result, "raw_log");
  if (code !== 0) {
    const codespace = readText(source, result, "codespace");
    const kind = classifyRefusal({ codespace, code, log });
    const details = code === mempoolFullCode && log === "" ? "mempool is full" : log || `${codespace} code ${code}`;
    return settleRefusal(transaction, { kind, details }, find);
  }
  const hash = readText(source, result, "txhash");
  if (hash.toUpperCase() === transaction.hash) return;
  throw new NodeError(`${rest.endpoint} answered transaction ${transaction.hash} with another hash`, {
    code: "NODE_BAD_RESPONSE",
    details: hash.slice(0, 200),
  });
}
