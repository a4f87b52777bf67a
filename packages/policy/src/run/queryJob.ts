import type { ProcessLimits, QueryLimits, SourceColumn, SourceData } from "../sources/policySource.ts";

/** A table of a query: a view over Parquet files. */
export interface QueryTable {
  readonly name: string;
  /** The columns with addresses, and those with text, which may be anything. */
  readonly addresses: readonly string[];
  readonly texts: readonly string[];
  /** The columns with hex, and their patterns. */
  readonly patterns: Readonly<Record<string, string>>;
  /** The SELECT of its rows. */
  readonly select: string;
  /** Absolute paths of the files that the SELECT reads. */
  readonly files: readonly string[];
}

/** A source of kind `reference`: a file in the policy's folder. */
export interface ReferenceDefinition {
  readonly kind: "reference";
  readonly name: string;
  /** The file's path inside the policy's folder. */
  readonly file: string;
  readonly format: "csv" | "parquet";
  /** The columns that the query sees, which the file has under the same names. */
  readonly columns: readonly SourceColumn[];
  /** SHA-256 of the file's bytes, in hex. */
  readonly sha256: string;
}

/** A Parquet file for a process, which anybody may have written: some bytes of it can become gigabytes. */
export interface FileJob {
  /** The source of the file. */
  readonly source: ReferenceDefinition;
  /** The policy's folder. */
  readonly policy: string;
  /** The folder for the source's rows. */
  readonly folder: string;
  readonly limits: ProcessLimits;
}

/** A query for a process. */
export interface QueryJob {
  readonly sql: string;
  readonly tables: readonly QueryTable[];
  readonly limits: QueryLimits;
  /** `plain` runs the query as it is written, without DuckDB's optimizer; `probing` fails where rows are left out, see `probeSql`. */
  readonly mode: "optimized" | "plain" | "probing";
  /** Folder of what does not fit in memory. The process removes it if its parent dies. */
  readonly spill: string;
}

/** Rows of the result, sorted by address; null where the query gives null. */
export interface QueryRows {
  readonly addresses: readonly (string | null)[];
  readonly scores: readonly (string | null)[];
}

/** A message of the process: rows, and at last what it was started for, or its error. */
export type QueryReply = { readonly rows: QueryRows } | { readonly result: ResultOf<QueryJob | FileJob> };

/** The parts of a query that take rows by a key; the rows of a file, which were written. */
export type ResultOf<Job> = Job extends QueryJob ? readonly string[] : SourceData;
