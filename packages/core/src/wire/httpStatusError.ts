import { NodeError } from "../errors/nodeError.ts";

/** An HTTP error status without an error in the node's format. */
export class HttpStatusError extends NodeError {
  static override readonly className: string = "HttpStatusError";

  override readonly name: string = "HttpStatusError";
  readonly status: number;

  constructor(endpoint: string, status: number, details: string, retryAfterMs = 0) {
    const unavailable = status === 408 || status === 429 || (status >= 500 && status !== 501);
    const denied = status === 401 || status === 403;
    const hint = denied ? "; check the credentials in the URL" : "";
    super(`${endpoint} answered HTTP status ${status}${hint}`, {
      code: unavailable ? "NODE_UNREACHABLE" : denied ? "NODE_ERROR" : "NODE_BAD_RESPONSE",
      details,
      retryAfterMs,
    });
    this.status = status;
  }
}
