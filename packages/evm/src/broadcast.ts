import { bytesToHex } from "viem";
import { BroadcastError, NodeError, type SignedTransaction } from "@vipscore/core";
import {
  HttpStatusError,
  isCallFailure,
  isRequestFault,
  RpcError,
  type Answer,
  type JsonRpc,
} from "@vipscore/core/wire";
import { lookUp } from "./lookUp.ts";
import { classifyRefusal, type RefusalKind } from "./refusals.ts";

/**
 * Sends a signed transaction to the node, once. A refusal counts only after a lookup of the hash: a node that mines
 * instantly refuses a transaction that it has already mined, or reports the revert of one that it just mined. An error
 * whose text is not a refusal leaves the transaction in doubt.
 *
 * @throws BroadcastError when the node refuses the transaction and does not have it; NodeError when the node does not
 * answer, or when its answer leaves open whether it has the transaction.
 */
export async function broadcast(
  rpc: JsonRpc,
  transaction: SignedTransaction,
  signal: AbortSignal | undefined,
): Promise<void> {
  const expectHash = (answer: Answer): void => {
    if (answer.text().toLowerCase() !== transaction.hash)
      answer.unreadable(`${transaction.hash}, the transaction's hash`);
  };
  try {
    await rpc.send("eth_sendRawTransaction", [bytesToHex(transaction.bytes)], expectHash, signal);
  } catch (error) {
    if (error instanceof HttpStatusError && error.status === 413) throw refusalOf(transaction, "too-large", error);
    if (!(error instanceof RpcError)) throw error;
    const status = await lookUp(rpc, transaction.hash, signal);
    if (status.state !== "unknown") return;
    const kind = kindOf(error);
    if (kind === undefined) throw error;
    if (kind !== "known") throw refusalOf(transaction, kind, error);
    throw new NodeError(`${rpc.endpoint} says that it has transaction ${transaction.hash} but does not return it`, {
      code: "NODE_BAD_RESPONSE",
      cause: error,
    });
  }
}

/** Returns the meaning of an error for the transaction; undefined if the node may have accepted it anyway. */
function kindOf(error: RpcError): RefusalKind | undefined {
  const said = classifyRefusal(error.details ?? "");
  if (said !== undefined) return said;
  if (isCallFailure(error)) return "execution";
  return isRequestFault(error) ? "other" : undefined;
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
