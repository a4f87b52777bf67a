import { NodeError } from "@vipscore/core";

/** The node understood a request and refused it with an error object of its own. */
export class RestError extends NodeError {
  override readonly name: string = "RestError";
  readonly status: number;
  /** What kind of error it is, as gRPC counts them, such as 12 for a route that the chain does not have. */
  readonly nodeCode: number;

  constructor(shown: string, status: number, error: { readonly code: number; readonly message: string }) {
    const details = error.message.slice(0, 500);
    super(`${shown} refused the request: ${details}`, { code: "NODE_ERROR", details });
    this.status = status;
    this.nodeCode = error.code;
  }
}
