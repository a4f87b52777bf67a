import type { TransactionLimits } from "@vipscore/core";
import type { CosmosAccount } from "./cosmosAccount.ts";

/** The size of an `updateScores` transaction in amino JSON, in bytes. */
export type DocumentSize = Pick<TransactionLimits, "baseBytes" | "rowBytes">;

/** Narrows the limits of a chain to what the account can sign and send. */
export function accountLimits(
  limits: TransactionLimits,
  account: Pick<CosmosAccount, "canQueue" | "maxDocumentBytes"> | undefined,
  document: DocumentSize,
): TransactionLimits {
  if (account === undefined || account.canQueue) return limits;
  const { maxDocumentBytes: maxBytes } = account;
  // A device has far less memory for a document than a node for a transaction.
  return { ...limits, ...(maxBytes === undefined ? {} : { ...document, maxBytes }), maxInFlight: 1 };
}
