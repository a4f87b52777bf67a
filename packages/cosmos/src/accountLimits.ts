import type { TransactionLimits } from "@vipscore/core";
import type { CosmosAccount } from "./cosmosAccount.ts";

/**
 * Most bytes of a transaction. A rollup accepts transactions of 2 MB, but a node's servers accept bodies of 1,000,000 bytes by
 * default (Cosmos SDK 0.50, `rpc-max-body-bytes`; CometBFT 0.38, `max_body_bytes`), and base64 adds a third. Batches far below
 * either limit keep several transactions in flight and each receipt small, which has an event for every score.
 */
const maxBytes = 250_000;

/** Gas limit of a transaction on a chain without a block gas limit. */
const unlimitedGas = 100_000_000n;

/** Names, addresses, fee and framing of a transaction in amino JSON at their maximum (about 800 bytes). */
const documentBaseBytes = 1_000;

/** The gas and bytes that an `updateScores` transaction takes, and the gas that a block has. */
export interface TransactionSize extends Pick<TransactionLimits, "baseGas" | "baseBytes" | "rowBytes"> {
  /** Bytes that one row adds in amino JSON. */
  readonly documentRowBytes: number;
  /** The block gas limit; undefined if the chain has none or does not report it. */
  readonly blockGas: bigint | undefined;
}

/** Returns the limits of one transaction: what the chain takes, and what the account can sign and send. */
export function accountLimits(
  { baseGas, baseBytes, rowBytes, documentRowBytes, blockGas = unlimitedGas }: TransactionSize,
  account: Pick<CosmosAccount, "canQueue" | "maxDocumentBytes"> | undefined,
): TransactionLimits {
  const maxGas = blockGas < unlimitedGas ? blockGas : unlimitedGas;
  const limits = { baseGas, maxGas, baseBytes, rowBytes, maxBytes };
  if (account === undefined || account.canQueue) return limits;
  const { maxDocumentBytes } = account;
  if (maxDocumentBytes === undefined) return { ...limits, maxInFlight: 1 };
  // A device has far less memory for a document than a node for a transaction.
  const document = { baseBytes: documentBaseBytes, rowBytes: documentRowBytes, maxBytes: maxDocumentBytes };
  return { ...limits, ...document, maxInFlight: 1 };
}
