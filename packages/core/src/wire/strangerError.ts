import { NodeError } from "../errors/nodeError.ts";

/** Nothing listens at the address of an endpoint that never answered. */
export class StrangerError extends NodeError {
  override readonly name: string = "StrangerError";
}
