import SqliteDatabase from "better-sqlite3";
import { query } from "@vipscore/testkit/startPostgres";

/** Runs a statement on a database, without the store. */
export async function execute(database: string, statement: string): Promise<void> {
  if (!database.startsWith("postgres")) {
    const file = new SqliteDatabase(database);
    file.exec(statement);
    file.close();
    return;
  }
  await query(database, statement);
}
