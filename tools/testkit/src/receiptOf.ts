import { until } from "./until.ts";

/** What {@link receiptOf} needs of viem's public client. */
export interface ReceiptReader<Receipt> {
  readonly getTransactionReceipt: (of: { readonly hash: `0x${string}` }) => Promise<Receipt>;
}

/**
 * Waits until a transaction is in a block.
 *
 * viem's `waitForTransactionReceipt` asks once for each block, and waits in vain where the only block came after its first
 * question: a node that mines at once makes no further one.
 */
export function receiptOf<Receipt>(client: ReceiptReader<Receipt>, hash: `0x${string}`): Promise<NonNullable<Receipt>> {
  return until(`transaction ${hash}`, () =>
    client.getTransactionReceipt({ hash }).catch((error: unknown) => {
      if (error instanceof Error && error.name === "TransactionReceiptNotFoundError") return undefined;
      throw error;
    }),
  ) as Promise<NonNullable<Receipt>>;
}
