import { NodeError } from "@vipscore/core";

/** A node does not have the state after a block anymore. */
export class PrunedState extends NodeError {
  static override readonly className: string = "PrunedState";

  override readonly name: string = "PrunedState";

  constructor(endpoint: string, height: number, cause: NodeError) {
    super(`${endpoint} does not have the state after block ${height} anymore; use a node that keeps all states`, {
      code: "NODE_ERROR",
      ...(cause.details === undefined ? {} : { details: cause.details }),
      cause,
    });
  }
}
