import type { Account, SigningAccount } from "@vipscore/core";

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

/** The one message of a transaction. */
export interface CosmosMessage {
  /** Its type, `/cosmos.bank.v1beta1.MsgSend`. */
  readonly typeUrl: string;
  /** Its fields in protobuf. */
  readonly value: Uint8Array;
  /** Returns its amino JSON, as the chain writes it to verify a signature. Absent: only a key can sign it, no hardware wallet. */
  readonly amino?: (() => AminoMessage) | undefined;
}

/** A message in amino JSON. A field whose value is undefined is left out. */
export interface AminoMessage {
  /** Its name, `cosmos-sdk/MsgSend`. */
  readonly type: string;
  readonly value: object;
}

/** The contents of a transaction. */
export interface UnsignedTransaction {
  readonly message: CosmosMessage;
  readonly chainId: string;
  readonly accountNumber: bigint;
  readonly sequence: bigint;
  readonly gas: bigint;
  /** True to carry the extension that asks a mempool to queue the transaction while its sequence is ahead. Default: false. */
  readonly isQueued?: boolean;
  /** The fee; undefined if the chain charges nothing. */
  readonly fee: { readonly denom: string; readonly amount: bigint } | undefined;
}
