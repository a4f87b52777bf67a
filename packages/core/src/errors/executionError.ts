import { VipError, type VipErrorOptions } from "./vipError.ts";

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
