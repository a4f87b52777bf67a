import type { SignedTransaction } from "@vipscore/core";
import { handOver, waitForOutcome, type TransactionPort } from "@vipscore/core/engine";
import type { CallResult } from "./subject.ts";

/** Sends a signed transaction through the client's port and waits for its block. */
export async function sendTransaction(port: TransactionPort, transaction: SignedTransaction): Promise<CallResult> {
  await handOver(port, transaction, { rows: 0 });
  const outcome = await waitForOutcome(port, transaction);
  const { hash } = transaction;
  if (outcome.state === "dropped") throw new Error(`transaction ${hash} was dropped by the node`);
  const { gasUsed } = outcome;
  if (outcome.succeeded) return { hash, outcome: "DONE", details: undefined, gasUsed };
  return { hash, outcome: outcome.code ?? "TRANSACTION_FAILED", details: outcome.details, gasUsed };
}
