import { errorCodes, type ErrorCode } from "./errorCodes.ts";
import { InputError, type InputIssue } from "./inputError.ts";
import { VipError, type Hint } from "./vipError.ts";

/** An error of vipscore as data, which another process can send. */
export interface PlainError {
  readonly code: ErrorCode;
  readonly shortMessage: string;
  readonly advice: readonly (string | Hint)[];
  readonly details?: string | undefined;
  readonly issues?: readonly InputIssue[] | undefined;
}

/** Turns an error into data; an error that is not of vipscore is a bug, whose stack is returned. */
export function plainError(error: unknown): PlainError | string {
  if (!VipError.isVipError(error)) return error instanceof Error ? `${error.stack}` : String(error);
  const { code, shortMessage, advice, details } = error;
  return { code, shortMessage, advice, details, issues: error instanceof InputError ? error.issues : undefined };
}

/** Returns the error that {@link plainError} turned into data. */
export function errorOfPlain(plain: PlainError | string): Error {
  if (typeof plain === "string") return new Error(plain);
  const { code, shortMessage, advice: metaMessages, details, issues } = plain;
  const options = { code, metaMessages, ...(details === undefined ? {} : { details }) };
  if (errorCodes[code].category !== "input") return new VipError(shortMessage, options);
  return new InputError(shortMessage, { ...options, ...(issues === undefined ? {} : { issues }) });
}
