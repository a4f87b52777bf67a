import type { Account, SigningAccount, TransactionLimits } from "@vipscore/core";

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

/**
 * Most bytes of a transaction. A rollup accepts transactions of 2 MB, but a node's servers accept bodies of 1,000,000 bytes by
 * default (Cosmos SDK 0.50, `rpc-max-body-bytes`; CometBFT 0.38, `max_body_bytes`), and base64 adds a third. Batches far below
 * either limit keep several transactions in flight and each receipt small, which has an event for every score.
 */
const maxBytes = 250_000;

/** Gas limit of a transaction on a chain without a block gas limit. */
const unlimitedGas = 100_000_000n;

/** Names, addresses, fee and framing of a transaction in amino JSON at their maximum (about 800 bytes). */
const documentBaseBytes = 1_000;

/** The gas and bytes that an `updateScores` transaction takes, and the gas that a block has. */
export interface TransactionSize extends Pick<TransactionLimits, "baseGas" | "baseBytes" | "rowBytes"> {
  /** Bytes that one row adds in amino JSON. */
  readonly documentRowBytes: number;
  /** The block gas limit; undefined if the chain has none or does not report it. */
  readonly blockGas: bigint | undefined;
}

/** Returns the limits of one transaction: what the chain takes, and what the account can sign and send. */
export function accountLimits(
  { baseGas, baseBytes, rowBytes, documentRowBytes, blockGas = unlimitedGas }: TransactionSize,
  account: Pick<CosmosAccount, "canQueue" | "maxDocumentBytes"> | undefined,
): TransactionLimits {
  const maxGas = blockGas < unlimitedGas ? blockGas : unlimitedGas;
  const limits = { baseGas, maxGas, baseBytes, rowBytes, maxBytes };
  if (account === undefined || account.canQueue) return limits;
  const { maxDocumentBytes } = account;
  if (maxDocumentBytes === undefined) return { ...limits, maxInFlight: 1 };
  // A device has far less memory for a document than a node for a transaction.
  const document = { baseBytes: documentBaseBytes, rowBytes: documentRowBytes, maxBytes: maxDocumentBytes };
  return { ...limits, ...document, maxInFlight: 1 };
}
