/** A table of a query: a view over Parquet files. */
export interface QueryTable {
  readonly name: string;
  /** The patterns of its columns of hex. */
  readonly patterns: readonly string[];
  readonly select: string;
  /** Absolute paths of the files that the SELECT reads. */
  readonly files: readonly string[];
}

export interface QueryLimits {
  /** At most `maxThreads`. */
  readonly threads: number;
  /** Memory of its process in MiB. */
  readonly memoryMiB: number;
  /** CPU time in seconds for each thread. */
  readonly seconds: number;
  /** Disk for what does not fit in memory, in MiB. */
  readonly spillMiB: number;
  readonly maxRows: number;
}

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
