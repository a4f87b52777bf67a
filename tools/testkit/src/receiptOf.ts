import { until } from "./until.ts";

/** The part of viem's public client that {@link receiptOf} needs. */
export interface ReceiptReader<Receipt> {
  readonly getTransactionReceipt: (of: { readonly hash: `0x${string}` }) => Promise<Receipt>;
}

/**
 * Waits until a transaction is in a block.
 *
 * viem's `waitForTransactionReceipt` asks once per block, and waits forever if the only block came after its first request: a
 * node that mines on demand makes no further one.
 */
export function receiptOf<Receipt>(client: ReceiptReader<Receipt>, hash: `0x${string}`): Promise<NonNullable<Receipt>> {
  return until(`transaction ${hash}`, () =>
    client.getTransactionReceipt({ hash }).catch((error: unknown) => {
      if (error instanceof Error && error.name === "TransactionReceiptNotFoundError") return undefined;
      throw error;
    }),
  ) as Promise<NonNullable<Receipt>>;
}
