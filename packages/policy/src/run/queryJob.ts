/** A table of a query: a view over Parquet files. */
export interface QueryTable {
  readonly name: string;
  /** The columns with addresses, and those with text, which may be anything. */
  readonly addresses: readonly string[];
  readonly texts: readonly string[];
  /** The SELECT of its rows. */
  readonly select: string;
  /** Absolute paths of the files that the SELECT reads. */
  readonly files: readonly string[];
}

/** What a query may use. */
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

/** A query for a process. */
export interface QueryJob {
  readonly sql: string;
  readonly tables: readonly QueryTable[];
  readonly limits: QueryLimits;
  /** Folder of what does not fit in memory. The process removes it if its parent dies. */
  readonly spill: string;
}

/** Rows of the result, sorted by address; null where the query gives null. */
export interface QueryRows {
  readonly addresses: readonly (string | null)[];
  readonly scores: readonly (string | null)[];
}

/** An error of the policy. */
export interface QueryFault {
  readonly code: "POLICY_INVALID" | "POLICY_REFUSED" | "POLICY_LIMIT";
  readonly problem: string;
  readonly metaMessages: readonly string[];
  readonly details: string | undefined;
}

/** A message of the process: rows, and at last how the query uses the order of rows, a fault of the policy, or a bug. */
export type QueryReply =
  | { readonly rows: QueryRows }
  | { readonly use: "free" | "ordered" }
  | { readonly fault: QueryFault }
  | { readonly bug: string };
