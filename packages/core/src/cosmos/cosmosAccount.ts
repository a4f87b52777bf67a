import type { Account } from "../account.ts";
import type { SigningAccount } from "../signingAccount.ts";

/**
 * The secret that an account signs with: a mnemonic, or a 32-byte private key in hex.
 *
 * `coinType` 60, the default, derives keys as Ethereum wallets do and signs with ethsecp256k1, as initia.js does. 118
 * derives keys as Cosmos wallets do and signs with plain secp256k1. The two have different addresses. A
 * private key signs with ethsecp256k1 unless `coinType` is 118.
 */
export type CosmosKey = { readonly coinType?: 60 | 118 | undefined } & (
  | { readonly mnemonic: string; readonly privateKey?: undefined }
  | { readonly privateKey: string; readonly mnemonic?: undefined }
);

/** The contents of a transaction. */
export interface UnsignedTransaction<Message> {
  readonly message: Message;
  readonly chainId: string;
  readonly accountNumber: bigint;
  readonly sequence: bigint;
  readonly gas: bigint;
  /** Whether to carry the extension that asks a mempool to queue the transaction while its sequence is ahead. Default: false. */
  readonly isQueued?: boolean;
  /** The fee; undefined if the chain charges nothing. */
  readonly fee: { readonly denom: string; readonly amount: bigint } | undefined;
}

/** An account that signs on a Cosmos SDK chain; `signTransaction` returns the bytes of the transaction. */
export interface CosmosAccount<Message> extends SigningAccount<UnsignedTransaction<Message>, Uint8Array> {
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
