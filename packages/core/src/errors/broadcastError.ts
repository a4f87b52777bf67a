import { VipError, type VipErrorOptions } from "./vipError.ts";

/**
 * What a refusal before any block means for the sender:
 * `sequence` the sequence is used or ahead; `resign` the node takes the same call and sequence, signed once more by the same
 * connection, which now knows the form that the node wants; `fee` the node asks for a higher price, which the same
 * connection reads again before it signs; `too-large` gas or bytes exceed what the node takes; `funds` the balance does not
 * cover the fee; `execution` the node ran the call and it fails; `other` any other reason that the node gives.
 */
export type BroadcastRefusal = "sequence" | "resign" | "fee" | "too-large" | "funds" | "execution" | "other";

/** A node refused a transaction before including it in any block: nothing was written and no fee was paid. */
export class BroadcastError extends VipError {
  override readonly name: string = "BroadcastError";
  readonly refusal: BroadcastRefusal;

  constructor(shortMessage: string, options: Omit<VipErrorOptions, "code"> & { readonly refusal: BroadcastRefusal }) {
    super(shortMessage, { ...options, code: options.refusal === "funds" ? "INSUFFICIENT_FUNDS" : "BROADCAST_REFUSED" });
    this.refusal = options.refusal;
  }
}
