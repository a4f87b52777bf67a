import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/** The kind of database, for the few statements that differ. */
export type Engine = "sqlite" | "postgres";

/** An open database. */
export interface Database {
  readonly engine: Engine;
  /** For writes. */
  readonly writer: Kysely<Tables>;
  /**
   * For reads; for a SQLite file a second connection, so that reads do not wait for transactions or see partial ones.
   */
  readonly reader: Kysely<Tables>;
  /**
   * Ensures that no other program writes until this one exits or closes the database.
   *
   * @param connection - The writer or one of its transactions.
   * @throws VipError DATABASE_IN_USE.
   */
  readonly claim: (connection: Kysely<Tables>) => Promise<void>;
  readonly close: () => Promise<void>;
}
