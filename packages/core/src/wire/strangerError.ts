import { NodeError } from "../errors/nodeError.ts";

/** Nobody is at the address of an endpoint, and nobody answered there before. */
export class StrangerError extends NodeError {
  override readonly name: string = "StrangerError";
}
