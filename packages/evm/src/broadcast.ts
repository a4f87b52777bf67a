import { BroadcastError, NodeError, type SignedTransaction } from "@vipscore/core";
import { HttpStatusError } from "@vipscore/core/http";
import { bytesToHex } from "viem";
import { lookUp } from "./lookUp.ts";
import { classifyRefusal } from "./refusals.ts";
import { isPassing, RpcError, type JsonRpc } from "./rpc/jsonRpc.ts";

/**
 * Hands a signed transaction to the node, once. A refusal counts only after the node was asked for the hash: one that
 * mines at once refuses a transaction that it has already mined, or reports the revert of one that it just mined.
 *
 * @throws BroadcastError when the node refuses the transaction and does not have it; NodeError when no answer came, or
 * none that settles whether the node has it.
 */
export async function broadcast(
  rpc: JsonRpc,
  transaction: SignedTransaction,
  signal: AbortSignal | undefined,
): Promise<void> {
  let answer: unknown;
  try {
    answer = await rpc.request("eth_sendRawTransaction", [bytesToHex(transaction.bytes)], { signal, attempts: "once" });
  } catch (error) {
    if (error instanceof HttpStatusError && error.status === 413) throw refusalOf(transaction, "too-large", error);
    if (!(error instanceof RpcError)) throw error;
    const status = await lookUp(rpc, transaction.hash, signal);
    if (status.state !== "unknown") return;
    // A rate limit says nothing about the transaction.
    if (isPassing(error)) throw error;
    const kind = classifyRefusal(error.details ?? "");
    if (kind !== "known") throw refusalOf(transaction, kind, error);
    throw new NodeError(`${rpc.endpoint} says that it has transaction ${transaction.hash}, but does not show it`, {
      code: "NODE_BAD_RESPONSE",
      cause: error,
    });
  }
  if (typeof answer !== "string" || answer.toLowerCase() !== transaction.hash) {
    throw new NodeError(`${rpc.endpoint} answered transaction ${transaction.hash} with another hash`, {
      code: "NODE_BAD_RESPONSE",
      details: String(answer).slice(0, 200),
    });
  }
}

function refusalOf(
  transaction: SignedTransaction,
  refusal: BroadcastError["refusal"],
  cause: NodeError,
): BroadcastError {
  const what = `transaction ${transaction.hash} (sequence ${transaction.sequence}, gas limit ${transaction.gas})`;
  const details = cause.details ?? cause.shortMessage;
  return new BroadcastError(`the node refused ${what}: ${details.slice(0, 500)}`, { refusal, details, cause });
}
