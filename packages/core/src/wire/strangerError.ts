import { NodeError } from "../errors/nodeError.ts";

/**
 * Thrown for an endpoint that never answered as a node: nothing listens at its address, or another service does. Reads are
 * retried only briefly, because the URL is probably wrong.
 */
export class StrangerError extends NodeError {
  static override readonly className: string = "StrangerError";

  override readonly name: string = "StrangerError";
}
