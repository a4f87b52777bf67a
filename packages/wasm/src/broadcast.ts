import { NodeError, type SignedTransaction, type TransactionStatus } from "@vipscore/core";
import { classifyRefusal, classifyText, settleRefusal, type RefusalKind } from "@vipscore/core/cosmos";
import { HttpStatusError } from "@vipscore/core/http";
import { isPassing, RpcError } from "./cometErrors.ts";
import type { CometRpc } from "./cometRpc.ts";
import { lookUp } from "./lookUp.ts";

/**
 * Hands a signed transaction to the node, once, and waits until the node has checked it, not for a block. A refusal
 * counts only after the node was asked for the hash: the sequence of a transaction that is in a block is used.
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
    const kind = kindOf(error);
    if (kind === undefined) throw error;
    return settleRefusal(transaction, { kind, details: detailsOf(error), cause: error }, find);
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

/** What a failed request says of the transaction; undefined where it says nothing, so that the node may have it. */
function kindOf(error: unknown): RefusalKind | undefined {
  if (error instanceof HttpStatusError) {
    const isTooLarge = error.status === 413 || classifyText(error.details ?? "") === "too-large";
    return isTooLarge ? "too-large" : undefined;
  }
  return error instanceof RpcError && !isPassing(error) ? classifyText(error.details ?? "") : undefined;
}

function detailsOf(error: unknown): string {
  return error instanceof NodeError ? (error.details ?? error.shortMessage) : String(error);
}
