import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/** Which database it is: the few statements that differ go by it. */
export type Engine = "sqlite" | "postgres";

/** An open database. */
export interface Database {
  readonly engine: Engine;
  /** For the one that writes. */
  readonly writer: Kysely<Tables>;
  /** For reads; on a file of SQLite a second connection, so that reads do not wait for a transaction and see none half done. */
  readonly reader: Kysely<Tables>;
  readonly close: () => Promise<void>;
}
