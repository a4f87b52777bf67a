import type { SignedTransaction } from "@vipscore/core";
import { RestError, type Answer, type RestClient } from "@vipscore/core/wire";
import { classifyRefusal, settleBroadcast, type NodeRefusal } from "@vipscore/cosmos";
import { lookUp } from "./lookUp.ts";

/** The node's code for a full mempool (`ErrMempoolIsFull` of the Cosmos SDK). */
const mempoolFullCode = 20;

/** Sends a signed transaction to the node, once, and settles its answer; see {@link settleBroadcast}. */
export function broadcast(
  rest: RestClient,
  transaction: SignedTransaction,
  signal: AbortSignal | undefined,
): Promise<void> {
  const body = { tx_bytes: Buffer.from(transaction.bytes).toString("base64"), mode: "BROADCAST_MODE_SYNC" };
  const read = (answer: Answer): NodeRefusal | undefined => readRefusal(answer, transaction);
  return settleBroadcast(transaction, rest.send("/cosmos/tx/v1beta1/txs", body, read, { signal }), {
    isRefusal: (error) => error instanceof RestError && error.status < 500,
    lookUp: (hash) => lookUp(rest, hash, signal),
  });
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
