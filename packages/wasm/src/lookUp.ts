import type { TransactionStatus } from "@vipscore/core";
import { RpcError, undefinedIf, type Answer, type JsonRpc, type ReadAnswer } from "@vipscore/core/wire";
import { parseFailure, type Failure } from "./parseFailure.ts";

/** Looks up a transaction by its hash; undefined if it is not in a block. */
export function findTransaction<T>(
  comet: JsonRpc,
  hash: string,
  read: ReadAnswer<T>,
  signal: AbortSignal | undefined,
): Promise<T | undefined> {
  const asked = comet.read("tx", { hash: Buffer.from(hash, "hex").toString("base64") }, read, signal);
  return undefinedIf(isUnknownTransaction, asked);
}

function isUnknownTransaction(error: unknown): boolean {
  return error instanceof RpcError && /tx \([0-9A-F]+\) not found/i.test(error.details ?? "");
}

/**
 * Looks up a transaction: in a block or unknown.
 *
 * Pending transactions cannot be looked up by hash, so a transaction is unknown, never pending, until it is in a block.
 * That is safe: after a while the engine sends the same bytes again, and the node answers that it already has them. Only
 * the sequence decides that a transaction is gone.
 */
export async function lookUp(
  comet: JsonRpc,
  hash: string,
  signal: AbortSignal | undefined,
): Promise<TransactionStatus> {
  return (await findTransaction(comet, hash, readStatus, signal)) ?? { state: "unknown" };
}

function readStatus(answer: Answer): TransactionStatus {
  const result = answer.field("tx_result");
  const gasUsed = result.optional("gas_used")?.u64() ?? 0n;
  const included = { state: "included", height: answer.field("height").u64(), gasUsed } as const;
  const outcome = readOutcome(result);
  if (outcome.code === 0) return { ...included, succeeded: true };
  return { ...included, succeeded: false, ...parseFailure(outcome) };
}

/** Reads the outcome of a transaction: code 0, or a failure. Zero and empty fields may be absent. */
export function readOutcome(result: Answer): Failure {
  return {
    code: result.optional("code")?.integer() ?? 0,
    codespace: result.optional("codespace")?.text() ?? "",
    log: result.optional("log")?.text() ?? "",
  };
}
