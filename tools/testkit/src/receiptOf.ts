import { until } from "./until.ts";

/** The part of viem's public client that {@link receiptOf} needs. */
export interface ReceiptReader<Receipt> {
  readonly getTransactionReceipt: (of: { readonly hash: `0x${string}` }) => Promise<Receipt>;
}

/**
 * Waits until a transaction is in a block, and returns its receipt, even if the transaction reverted.
 *
 * viem's `waitForTransactionReceipt` ignores a block that comes while it still handles the previous one. If that block has the
 * transaction and the node mines only on demand, no later block makes viem ask again.
 */
export function receiptOf<Receipt>(client: ReceiptReader<Receipt>, hash: `0x${string}`): Promise<NonNullable<Receipt>> {
  return until(`transaction ${hash}`, () =>
    client.getTransactionReceipt({ hash }).catch((error: unknown) => {
      if (error instanceof Error && error.name === "TransactionReceiptNotFoundError") return undefined;
      throw error;
    }),
  );
}
