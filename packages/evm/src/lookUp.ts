import type { TransactionStatus } from "@vipscore/core";
import type { Answer, JsonRpc } from "@vipscore/core/wire";
import { findFailureReason } from "./findFailureReason.ts";

/** Reads the node's record of a transaction: its receipt, or else whether it is pending. */
export async function lookUp(rpc: JsonRpc, hash: string, signal: AbortSignal | undefined): Promise<TransactionStatus> {
  const receipt = await rpc.read("eth_getTransactionReceipt", [hash], readReceipt, signal);
  if (receipt === undefined) return rpc.read("eth_getTransactionByHash", [hash], readPending, signal);
  const reason = receipt.succeeded ? {} : await findFailureReason(rpc, hash, receipt, signal);
  return { state: "included", ...receipt, ...reason };
}

function readReceipt(receipt: Answer) {
  if (receipt.value === null) return undefined;
  return {
    succeeded: receipt.field("status").quantity() === 1n,
    height: receipt.field("blockNumber").quantity(),
    gasUsed: receipt.field("gasUsed").quantity(),
  };
}

function readPending(transaction: Answer): TransactionStatus {
  if (transaction.value === null) return { state: "unknown" };
  transaction.object();
  // It may be in a block without a receipt: between the two requests, or while the node still indexes the block.
  return { state: "pending" };
}
