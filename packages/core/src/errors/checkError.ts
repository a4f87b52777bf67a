import { VipError } from "./vipError.ts";

/** A check failed; nothing that it guards was sent. */
export class CheckError extends VipError {
  static override readonly className: string = "CheckError";

  override readonly name: string = "CheckError";
}
