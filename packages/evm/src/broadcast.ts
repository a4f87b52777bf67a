import { BroadcastError, NodeError, type SignedTransaction } from "@vipscore/core";
import { HttpStatusError } from "@vipscore/core/http";
import { bytesToHex } from "viem";
import { lookUp } from "./lookUp.ts";
import { classifyRefusal, type RefusalKind } from "./refusals.ts";
import { isCallFailure, RpcError, type JsonRpc } from "./rpc/jsonRpc.ts";

/** JSON-RPC errors of a request that no server has worked on: parse error, invalid request, no such method, invalid params. */
const requestFaults: ReadonlySet<number | undefined> = new Set([-32700, -32600, -32601, -32602]);

/**
 * Hands a signed transaction to the node, once. A refusal counts only after the node was asked for the hash: one that
 * mines at once refuses a transaction that it has already mined, or reports the revert of one that it just mined. An error
 * whose text is no refusal leaves the transaction in doubt.
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
    const kind = kindOf(error);
    if (kind === undefined) throw error;
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

/** What an error says of the transaction; undefined where it may have been taken nevertheless. */
function kindOf(error: RpcError): RefusalKind | undefined {
  const { rpcCode, details = "" } = error;
  const said = classifyRefusal(details);
  if (said !== undefined) return said;
  if (isCallFailure(error)) return "execution";
  return requestFaults.has(rpcCode) ? "other" : undefined;
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
