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
  /**
   * Makes sure that no other program writes, until this one ends or closes the database.
   *
   * @param connection - The writer or a transaction of it.
   * @throws VipError DATABASE_IN_USE.
   */
  readonly claim: (connection: Kysely<Tables>) => Promise<void>;
  readonly close: () => Promise<void>;
}
