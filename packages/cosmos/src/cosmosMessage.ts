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
