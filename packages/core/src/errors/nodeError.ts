import { VipError, type VipErrorOptions } from "./vipError.ts";

/** Options of {@link NodeError}. */
export interface NodeErrorOptions extends VipErrorOptions {
  /** Wait that the endpoint asks of clients, in milliseconds. Default: 0. */
  readonly retryAfterMs?: number;
  /** True if the same request may succeed later. Default: true for `NODE_UNREACHABLE`, false for any other code. */
  readonly mayPass?: boolean;
  /** True if the text comes from a contract, so that anyone may have written it. Default: false. */
  readonly isOfContract?: boolean;
}

/** The endpoint is unreachable, does not speak the protocol, or refused a request. Never contains the URL's credentials. */
export class NodeError extends VipError {
  static override readonly className: string = "NodeError";

  override readonly name: string = "NodeError";
  /** Wait that the endpoint asks of clients, in milliseconds; 0 if it does not ask. */
  readonly retryAfterMs: number;
  /** True if the same request may succeed later. Reads are retried only after such failures. */
  readonly mayPass: boolean;
  /** True if a contract refused: anyone may have written its text, which says nothing about the node. */
  readonly isOfContract: boolean;

  constructor(shortMessage: string, options: NodeErrorOptions) {
    super(shortMessage, options);
    this.retryAfterMs = options.retryAfterMs ?? 0;
    this.isOfContract = options.isOfContract ?? false;
    this.mayPass = !this.isOfContract && (options.mayPass ?? options.code === "NODE_UNREACHABLE");
  }
}
