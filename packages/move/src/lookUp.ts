import type { TransactionStatus } from "@vipscore/core";
import { isNotFound, undefinedIf, type Answer, type RestClient } from "@vipscore/core/wire";
import { parseFailure } from "./parseFailure.ts";

/**
 * Looks up a transaction: in a block or unknown.
 *
 * The REST interface does not show pending transactions, so a transaction is unknown, never pending, until it is in a
 * block. That is safe: after a while the engine sends the same bytes again, and the node answers that it already has
 * them. Only the sequence decides that a transaction is gone.
 */
export async function lookUp(
  rest: RestClient,
  hash: string,
  signal: AbortSignal | undefined,
): Promise<TransactionStatus> {
  const asked = rest.get(`/cosmos/tx/v1beta1/txs/${hash}`, readStatus, { signal });
  return (await undefinedIf(isNotFound, asked)) ?? { state: "unknown" };
}

function readStatus(answer: Answer): TransactionStatus {
  const result = answer.field("tx_response");
  const included = {
    state: "included",
    height: result.field("height").u64(),
    gasUsed: result.field("gas_used").u64(),
  } as const;
  if (result.field("code").integer() === 0) return { ...included, succeeded: true };
  return { ...included, succeeded: false, ...parseFailure(result.field("raw_log").text()) };
}
