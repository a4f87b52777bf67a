import { VipError } from "./vipError.ts";

/** A check refused to go on; nothing that it guards was sent. */
export class CheckError extends VipError {
  override readonly name: string = "CheckError";
}
