import type { CosmosMessage } from "./cosmosMessage.ts";

/** The contents of a transaction. */
export interface UnsignedTransaction {
  readonly message: CosmosMessage;
  readonly chainId: string;
  readonly accountNumber: bigint;
  readonly sequence: bigint;
  readonly gas: bigint;
  /** Whether to carry the extension that asks a mempool to queue the transaction while its sequence is ahead. Default: false. */
  readonly isQueued?: boolean;
  /** The fee; undefined if the chain charges nothing. */
  readonly fee: { readonly denom: string; readonly amount: bigint } | undefined;
}
