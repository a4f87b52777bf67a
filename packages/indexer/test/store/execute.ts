import SqliteDatabase from "better-sqlite3";
import pg from "pg";

/** Runs a statement on a database, without the store. */
export async function execute(database: string, statement: string): Promise<void> {
  if (!database.startsWith("postgres")) {
    const file = new SqliteDatabase(database);
    file.exec(statement);
    file.close();
    return;
  }
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  await client.query(statement);
  await client.end();
}
