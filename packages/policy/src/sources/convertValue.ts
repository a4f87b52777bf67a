import { InputError, quoteText } from "@vipscore/core/errors";
import { describeInvalid, parseAccount, type Account } from "@vipscore/core/values";
import { isInIntegerRange, type SourceColumn, type SourceValue } from "./policySource.ts";

/** A value that its column cannot hold. */
export class ValueProblem {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** Converts a value of a file to what its column holds, or says why it cannot. */
export function convertValue(value: unknown, { name, type }: SourceColumn): SourceValue | ValueProblem {
  if (value === null || value === undefined) return new ValueProblem(`${name} is null`);
  if (type === "integer") return convertInteger(value, name);
  if (type === "boolean") return convertBoolean(value, name);
  if (typeof value !== "string") return wrong(name, value, type === "text" ? "text" : "an address");
  if (type === "text") return value;
  const account = accountOrError(value);
  return typeof account === "string" ? account : new ValueProblem(`${name}: ${account.shortMessage}`);
}

/** The spelling that sources have of an account; undefined for a text that does not read as one. */
export function storedSpelling(text: string): string | undefined {
  const lower = text.trim().toLowerCase();
  if (/^0x[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(lower)) return lower;
  const account = /^init1[0-9a-z]{38,58}$/.test(lower) ? accountOrError(lower) : undefined;
  return typeof account === "string" ? account : undefined;
}

/** Reads an account of any spelling; returns the error of a text that is not one. */
export function accountOrError(text: string, accountBytes: readonly (20 | 32)[] = [20, 32]): Account | InputError {
  try {
    return parseAccount(text, { accountBytes });
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
}

function convertBoolean(value: unknown, name: string): boolean | ValueProblem {
  if (value === true || value === "true") return true;
  return value === false || value === "false" ? false : wrong(name, value, "true or false");
}

function convertInteger(value: unknown, name: string): bigint | ValueProblem {
  let integer: bigint | undefined;
  if (typeof value === "bigint") integer = value;
  else if (typeof value === "string" && /^-?\d{1,78}$/.test(value)) integer = BigInt(value);
  if (integer === undefined) {
    if (typeof value === "string") return new ValueProblem(`${name} ${describeInvalid(value)}`);
    return wrong(name, value, "an integer");
  }
  if (isInIntegerRange(integer)) return integer;
  return new ValueProblem(`${name} ${integer} is beyond 38 digits`);
}

function wrong(name: string, value: unknown, wanted: string): ValueProblem {
  return new ValueProblem(`${name} ${quoteText(String(value))} is not ${wanted}`);
}
