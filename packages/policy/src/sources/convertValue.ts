import { InputError, quoteText } from "@vipscore/core/errors";
import { describeInvalid, parseAccount } from "@vipscore/core/values";
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
  return type === "text" ? value : convertAddress(value, name);
}

/** The spelling that sources have of an account; undefined for a text that does not read as one. */
export function storedSpelling(text: string): string | undefined {
  const lower = text.trim().toLowerCase();
  if (/^0x[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(lower)) return lower;
  if (!/^init1[0-9a-z]{38,58}$/.test(lower)) return undefined;
  try {
    return parseAccount(lower, { accountBytes: [20, 32] });
  } catch {
    return undefined;
  }
}

function convertBoolean(value: unknown, name: string): boolean | ValueProblem {
  if (value === true || value === "true") return true;
  return value === false || value === "false" ? false : wrong(name, value, "true or false");
}

function convertAddress(text: string, name: string): string | ValueProblem {
  try {
    return parseAccount(text, { accountBytes: [20, 32] });
  } catch (error) {
    if (error instanceof InputError) return new ValueProblem(`${name}: ${error.shortMessage}`);
    throw error;
  }
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
