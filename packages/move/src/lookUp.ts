import type { TransactionStatus } from "@vipscore/core";
import { explainLog } from "./abortCodes.ts";
import { readObject, readText, readU64, unreadable } from "./readField.ts";
import { isNotFound, type RestAnswer, type RestClient } from "@vipscore/core/http";

/**
 * What the node knows of a transaction: in a block or unknown.
 *
 * This interface shows no transaction that waits for a block, so one is unknown until then, never pending. That is safe:
 * the engine hands an unknown transaction over again after a while, always the same bytes, and the node answers that it
 * has them. Only its sequence decides that a transaction is gone.
 */
export async function lookUp(
  rest: RestClient,
  hash: string,
  signal: AbortSignal | undefined,
): Promise<TransactionStatus> {
  const path = `/cosmos/tx/v1beta1/txs/${hash}`;
  let answer: RestAnswer;
  try {
    answer = await rest.get(path, { signal });
  } catch (error) {
    if (isNotFound(error)) return { state: "unknown" };
    throw error;
  }
  const source = { rest, path };
  const result = readObject(source, answer, "tx_response");
  const height = readU64(source, result, "height");
  const gasUsed = readU64(source, result, "gas_used");
  const { code } = result;
  if (typeof code !== "number") return unreadable(source, "code", code);
  if (code === 0) return { state: "included", succeeded: true, height, gasUsed };
  const log = readText(source, result, "raw_log");
  return { state: "included", succeeded: false, height, gasUsed, ...explainLog(log) };
}
