import { VipError, type VipErrorOptions } from "./vipError.ts";

/** What a {@link NodeError} is made of. */
export interface NodeErrorOptions extends VipErrorOptions {
  /** How long the endpoint asks to be left alone, in milliseconds. Default 0. */
  readonly retryAfterMs?: number;
  /** Whether the same request may succeed a moment later. Default: true for `NODE_UNREACHABLE`, false for any other code. */
  readonly mayPass?: boolean;
  /** Whether the text is a contract's, which anybody may have written. Default false. */
  readonly isOfContract?: boolean;
}

/** The endpoint is unreachable, does not speak the protocol, or refused a request. Carries no credentials of the URL. */
export class NodeError extends VipError {
  override readonly name: string = "NodeError";
  /** How long the endpoint asks to be left alone, in milliseconds; 0 where it does not ask. */
  readonly retryAfterMs: number;
  /** True for a failure that the same request may not meet a moment later. Reads are repeated after these alone. */
  readonly mayPass: boolean;
  /** True where a contract refused: its text is anybody's, and says nothing about the node. */
  readonly isOfContract: boolean;

  constructor(shortMessage: string, options: NodeErrorOptions) {
    super(shortMessage, options);
    this.retryAfterMs = options.retryAfterMs ?? 0;
    this.isOfContract = options.isOfContract ?? false;
    this.mayPass = !this.isOfContract && (options.mayPass ?? options.code === "NODE_UNREACHABLE");
  }
}
