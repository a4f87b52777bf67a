import { quoteText } from "@vipscore/core/errors";
import { policyInvalid } from "../policyError.ts";

/** Names that DuckDB gives to its own views. */
const systemName = /^(?:duckdb|pragma|pg|sqlite|information)_/;

/**
 * Checks the name of a source or a column: lower-case letters, digits and `_`, at most 60 characters. SQL compares names
 * without case, so only one spelling is allowed.
 *
 * @throws InputError `POLICY_INVALID`.
 */
export function readSqlName(name: string, place: string): string {
  if (!/^[a-z_][a-z0-9_]{0,59}$/.test(name)) {
    throw policyInvalid(place, `has the name ${quoteText(name)}; use a letter, then letters a-z, digits or _`);
  }
  if (isSystemName(name)) throw policyInvalid(place, `has the name "${name}", which DuckDB keeps for itself`);
  return name;
}

/** True for a name that DuckDB may give to one of its views. */
export function isSystemName(name: string): boolean {
  return systemName.test(name.toLowerCase());
}

/** Quotes a name for SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
