import { VipError, type VipErrorOptions } from "./vipError.ts";

/** The endpoint is unreachable, does not speak the protocol, or refused a request. Carries no credentials of the URL. */
export class NodeError extends VipError {
  override readonly name: string = "NodeError";
  /** How long the endpoint asks to be left alone, in milliseconds; 0 where it does not. */
  readonly retryAfterMs: number;

  constructor(shortMessage: string, options: VipErrorOptions & { readonly retryAfterMs?: number }) {
    super(shortMessage, options);
    this.retryAfterMs = options.retryAfterMs ?? 0;
  }
}
