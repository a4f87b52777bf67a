import type { Account, SigningAccount } from "@vipscore/core";
import type { UnsignedTransaction } from "./unsignedTransaction.ts";

/** An account that signs on a Cosmos SDK chain; `signTransaction` returns the bytes of the transaction. */
export interface CosmosAccount extends SigningAccount<UnsignedTransaction, Uint8Array> {
  /** The address in bech32, `init1…`. */
  readonly address: string;
  /** The same address as the `Account` used everywhere else. */
  readonly account: Account;
  /**
   * False if the signature cannot cover an extension, as in amino JSON, the only form that hardware wallets sign. A
   * transaction of such an account is never queued by a mempool, so its transactions go one at a time.
   */
  readonly canQueue: boolean;
  /** Most bytes of a transaction in amino JSON that it signs. Undefined: any number. */
  readonly maxDocumentBytes?: number | undefined;
}
