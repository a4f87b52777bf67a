import type { Account } from "../account.ts";

/**
 * What an account signs with: a mnemonic or a private key of 32 bytes in hex.
 *
 * `coinType` 60, the default, derives as Ethereum wallets do and signs as an ethsecp256k1 key, as initia.js does; 118
 * derives as the wallets of Cosmos chains do and signs as a plain secp256k1 key. The two have different addresses. A
 * private key given as such signs as an ethsecp256k1 key unless `coinType` is 118.
 */
export type CosmosKey = { readonly coinType?: 60 | 118 | undefined } & (
  | { readonly mnemonic: string; readonly privateKey?: undefined }
  | { readonly privateKey: string; readonly mnemonic?: undefined }
);

/** What a transaction is made of. */
export interface UnsignedTransaction<Message> {
  readonly message: Message;
  readonly chainId: string;
  readonly accountNumber: bigint;
  readonly sequence: bigint;
  readonly gas: bigint;
  /** Carry the extension that has a mempool queue the transaction while its sequence is ahead; default false. */
  readonly isQueued?: boolean;
  /** The fee; undefined where nothing is charged. */
  readonly fee: { readonly denom: string; readonly amount: bigint } | undefined;
}

/** An account that signs. Its key cannot be read from it, and is not part of anything that prints it. */
export interface CosmosAccount<Message> {
  /** The address in bech32, `init1…`. */
  readonly address: string;
  /** The same address in the form that accounts have everywhere. */
  readonly account: Account;
  /** Signs in `SIGN_MODE_DIRECT` and gives the bytes of the transaction. */
  signTransaction(transaction: UnsignedTransaction<Message>): Promise<Uint8Array>;
}
