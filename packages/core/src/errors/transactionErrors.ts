import { VipError, type VipErrorOptions } from "./vipError.ts";

/**
 * Meaning of a refusal before inclusion for the sender:
 * `sequence` the sequence is used or ahead; `resign` the node accepts the same call and sequence once the same connection,
 * which now knows the right form, signs it again; `fee` the node requires a higher price, which the same
 * connection reads again before it signs; `too-large` gas or bytes exceed the node's limit; `funds` the balance does not
 * cover the fee; `execution` the node ran the call and it fails; `other` any other reason.
 */
export type BroadcastRefusal = "sequence" | "resign" | "fee" | "too-large" | "funds" | "execution" | "other";

/** A node refused a transaction before including it in a block: nothing was written and no fee was paid. */
export class BroadcastError extends VipError {
  static override readonly className: string = "BroadcastError";

  override readonly name: string = "BroadcastError";
  readonly refusal: BroadcastRefusal;

  constructor(shortMessage: string, options: Omit<VipErrorOptions, "code"> & { readonly refusal: BroadcastRefusal }) {
    super(shortMessage, { ...options, code: options.refusal === "funds" ? "INSUFFICIENT_FUNDS" : "BROADCAST_REFUSED" });
    this.refusal = options.refusal;
  }
}

/** A transaction was included in a block and failed: a fee may have been paid, nothing was written. */
export class ExecutionError extends VipError {
  static override readonly className: string = "ExecutionError";

  override readonly name: string = "ExecutionError";
  /** Hash of the failed transaction, in the chain's spelling. */
  readonly txHash: string;

  constructor(shortMessage: string, options: VipErrorOptions & { readonly txHash: string }) {
    super(shortMessage, options);
    this.txHash = options.txHash;
  }
}

/** Why a signing device did not sign. */
export type DeviceErrorCode =
  "DEVICE_MISSING" | "DEVICE_LOCKED" | "DEVICE_WRONG_APP" | "DEVICE_FAILED" | "DEVICE_REFUSED";

/** A signing device did not sign; the transaction in question was not sent. */
export class DeviceError extends VipError {
  static override readonly className: string = "DeviceError";

  override readonly name: string = "DeviceError";
  override readonly code: DeviceErrorCode;

  constructor(shortMessage: string, options: Omit<VipErrorOptions, "code"> & { readonly code: DeviceErrorCode }) {
    super(shortMessage, options);
    this.code = options.code;
  }
}
