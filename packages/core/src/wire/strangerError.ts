import { NodeError } from "../errors/nodeError.ts";

/** An endpoint that never answered as a node: nothing listens at its address, or another service does. */
export class StrangerError extends NodeError {
  override readonly name: string = "StrangerError";
}
