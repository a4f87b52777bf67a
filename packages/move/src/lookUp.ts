import type { TransactionStatus } from "@vipscore/core";
import { explainFailure } from "./explainFailure.ts";
import { absentIf, isNotFound, type Answer, type RestClient } from "@vipscore/core/wire";

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
  const asked = rest.get(`/cosmos/tx/v1beta1/txs/${hash}`, readStatus, { signal });
  return (await absentIf(isNotFound, asked)) ?? { state: "unknown" };
}

function readStatus(answer: Answer): TransactionStatus {
  const result = answer.field("tx_response");
  const included = {
    state: "included",
    height: result.field("height").u64(),
    gasUsed: result.field("gas_used").u64(),
  } as const;
  if (result.field("code").integer() === 0) return { ...included, succeeded: true };
  return { ...included, succeeded: false, ...explainFailure(result.field("raw_log").text()) };
}
