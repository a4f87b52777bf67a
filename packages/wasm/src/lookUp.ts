import type { TransactionStatus } from "@vipscore/core";
import { absentIf, RpcError, type Answer, type JsonRpc, type ReadAnswer } from "@vipscore/core/wire";
import { explainFailure, type Failure } from "./explainFailure.ts";

/** Reads what a node has of the transaction of a hash; undefined where no block has it. */
export function findTransaction<T>(
  comet: JsonRpc,
  hash: string,
  read: ReadAnswer<T>,
  signal: AbortSignal | undefined,
): Promise<T | undefined> {
  const asked = comet.read("tx", { hash: Buffer.from(hash, "hex").toString("base64") }, read, signal);
  return absentIf(isUnknownTransaction, asked);
}

function isUnknownTransaction(error: unknown): boolean {
  return error instanceof RpcError && /tx \([0-9A-F]+\) not found/i.test(error.details ?? "");
}

/**
 * What the node knows of a transaction: in a block or unknown.
 *
 * Transactions that wait for a block cannot be asked for by their hash, so one is unknown until then, never pending.
 * That is safe: the engine hands an unknown transaction over again after a while, always the same bytes, and the node
 * answers that it has them. Only its sequence decides that a transaction is gone.
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
  return { ...included, succeeded: false, ...explainFailure(outcome) };
}

/** How the chain judged a transaction: code 0, or a failure. Fields that are zero or empty may be absent. */
export function readOutcome(result: Answer): Failure {
  return {
    code: result.optional("code")?.integer() ?? 0,
    codespace: result.optional("codespace")?.text() ?? "",
    log: result.optional("log")?.text() ?? "",
  };
}
