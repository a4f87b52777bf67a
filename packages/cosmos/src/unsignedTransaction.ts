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
