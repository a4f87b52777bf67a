import { NodeError, type TransactionStatus } from "@vipscore/core";
import { explainFailure } from "./explainFailure.ts";
import { isObject } from "@vipscore/core/http";
import type { JsonRpc } from "./rpc/jsonRpc.ts";
import { parseQuantity } from "./rpc/readQuantity.ts";

/** What the node knows of a transaction: its receipt, else whether it waits at the node. */
export async function lookUp(rpc: JsonRpc, hash: string, signal: AbortSignal | undefined): Promise<TransactionStatus> {
  const receipt = await readObject(rpc, "eth_getTransactionReceipt", hash, signal);
  if (receipt !== undefined) return includedStatus(rpc, hash, receipt, signal);
  const transaction = await readObject(rpc, "eth_getTransactionByHash", hash, signal);
  // In a block without a receipt yet: between the two requests, or while the node still indexes the block.
  return transaction === undefined ? { state: "unknown" } : { state: "pending" };
}

async function includedStatus(
  rpc: JsonRpc,
  hash: string,
  receipt: Readonly<Record<string, unknown>>,
  signal: AbortSignal | undefined,
): Promise<TransactionStatus> {
  const method = "eth_getTransactionReceipt";
  const height = parseQuantity(rpc, method, receipt["blockNumber"]);
  const gasUsed = parseQuantity(rpc, method, receipt["gasUsed"]);
  const succeeded = parseQuantity(rpc, method, receipt["status"]) === 1n;
  if (succeeded) return { state: "included", succeeded, height, gasUsed };
  const transaction = await readObject(rpc, "eth_getTransactionByHash", hash, signal);
  const reason = await explainFailure(rpc, transaction, { height, gasUsed }, signal);
  return { state: "included", succeeded, height, gasUsed, ...reason };
}

async function readObject(
  rpc: JsonRpc,
  method: string,
  hash: string,
  signal: AbortSignal | undefined,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const value = await rpc.request(method, [hash], { signal, attempts: "read" });
  if (value === null) return undefined;
  if (isObject(value)) return value;
  throw new NodeError(`${rpc.endpoint} answered ${method} with something that is not an object`, {
    code: "NODE_BAD_RESPONSE",
    details: JSON.stringify(value).slice(0, 200),
  });
}
