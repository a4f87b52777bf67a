import type { SignalOptions } from "@vipscore/core";

/**
 * Content of a source's column, and its type in SQL: `address`, 20 or 32 bytes as `0x` and lower-case hex (VARCHAR);
 * `integer`, exact (HUGEINT, -(2^127) to 2^127 - 1); `text` (VARCHAR); `boolean` (BOOLEAN).
 */
export const columnTypes = ["address", "integer", "text", "boolean"] as const;

/** One of {@link columnTypes}. */
export type ColumnType = (typeof columnTypes)[number];

/** A column of a source. */
export interface SourceColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** A value of a column: text for `address` and `text`, a bigint for `integer`, a boolean for `boolean`. Never null. */
export type SourceValue = string | bigint | boolean;

/** The values of one row, in the order of the columns. */
export type SourceRow = readonly SourceValue[];

/** The rows that a policy's query sees as one table. */
export interface PolicySource {
  /** The table's name in SQL. */
  readonly name: string;
  readonly kind: string;
  readonly columns: readonly SourceColumn[];
  /**
   * Yields all rows in batches of any size. The order of the rows is the same on every machine and at every call, such as
   * the order of the chain or of the file.
   *
   * @throws Errors of what is read; the signal's reason when aborted.
   */
  collect(options?: SignalOptions): AsyncIterable<readonly SourceRow[]>;
}

/** The range of an `integer`: that of HUGEINT. */
export const integerRange = { min: -(2n ** 127n), max: 2n ** 127n - 1n } as const;

/** True for a value that a column of integers can hold. */
export function isInIntegerRange(value: bigint): boolean {
  return value >= integerRange.min && value <= integerRange.max;
}

/** Names that DuckDB gives to its own views. */
const systemName = /^(?:duckdb|pragma|pg|sqlite|information)_/;

/** True for a name that DuckDB may give to one of its views. */
export function isSystemName(name: string): boolean {
  return systemName.test(name.toLowerCase());
}

/** Quotes a name for SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
