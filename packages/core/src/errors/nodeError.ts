import { VipError } from "./vipError.ts";

/** The endpoint is unreachable, does not speak the protocol, or refused a request. Carries no credentials of the URL. */
export class NodeError extends VipError {
  override readonly name: string = "NodeError";
}
