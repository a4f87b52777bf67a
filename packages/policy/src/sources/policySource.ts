import type { SignalOptions } from "@vipscore/core";

/**
 * Content of a source's column, and its type in SQL: `address`, 20 or 32 bytes as `0x` and lower-case hex (VARCHAR);
 * `integer`, exact to 38 digits (HUGEINT; BIGINT for places and times); `text` (VARCHAR); `boolean` (BOOLEAN).
 */
export const columnTypes = ["address", "integer", "text", "boolean"] as const;

/** One of {@link columnTypes}. */
export type ColumnType = (typeof columnTypes)[number];

/** A column of a source. */
export interface SourceColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** Set for an `integer` that always fits in 64 bits, such as a height or a time; it has this type in SQL too. Any other has 38 digits. */
  readonly stored?: "bigint";
  /** True if a row may have no value. */
  readonly nullable?: true;
  /** Set for a `text` that is hex in each row, as of a selector: the source of a regular expression of its values. */
  readonly pattern?: string | undefined;
}

/** A value of a column: text for `address` and `text`, a bigint for `integer`, a boolean for `boolean`; null in a nullable column. */
export type SourceValue = string | bigint | boolean | null;

/** The values of one row, in the order of the columns. */
export type SourceRow = readonly SourceValue[];

/** An event that does not fit the columns of its source, and is left out because the policy allows it. */
export interface Misfit {
  readonly height: number;
  /** The transaction's hash. */
  readonly transaction: string;
  /** Its `event_index`. */
  readonly event: number;
}

/** How many of the blocks that were read have logs which were compared with their bloom filters. */
export interface ComparedBlocks {
  readonly compared: number;
  readonly blocks: number;
}

/** The rows of a source as they were collected, in Parquet files. */
export interface SourceData {
  /** The table's name in SQL. */
  readonly name: string;
  readonly kind: string;
  readonly columns: readonly SourceColumn[];
  /** Absolute paths of the files, in the order of the rows. */
  readonly files: readonly string[];
  /** Absolute paths of files with the same rows in exactly the opposite order, in that order. */
  readonly reversed: readonly string[];
  /** Rows of later blocks are in the files, but not of the source; undefined for a source without heights. */
  readonly lastHeight: number | undefined;
  readonly rows: number;
  /** See `BlockDigests`. */
  readonly digest: string;
  /** See `ChainSource.assumed`. */
  readonly assumed?: string | undefined;
  /** What was left out, in the order of the chain; undefined if nothing was. */
  readonly misfits?: readonly Misfit[] | undefined;
  /** Undefined for a source of other things than logs. */
  readonly compared?: ComparedBlocks | undefined;
  /** By how many tokens it differs from what their contracts count; undefined if it does not, or if they do not say it. */
  readonly leftOut?: number | undefined;
}

/** Options of collecting a source. */
export interface CollectOptions extends SignalOptions {
  /** The folder for the files of sources that are not stored. It has to last as long as what is collected is used. */
  readonly folder: string;
}

/** The rows that a policy's query sees as one table. */
export interface PolicySource {
  /** The table's name in SQL. */
  readonly name: string;
  readonly kind: string;
  readonly columns: readonly SourceColumn[];
  /**
   * Reads all rows into files. The order of the rows is the same on every machine and at every call, such as the order of the
   * chain or of the file.
   *
   * @throws Errors of what is read; Error of the system; the signal's reason when aborted.
   */
  collect(options: CollectOptions): Promise<SourceData>;
}

/** The range of an `integer`: 38 digits, as many as Parquet's DECIMAL has. */
export const integerRange = { min: -(10n ** 38n - 1n), max: 10n ** 38n - 1n } as const;

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

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
