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

/** Makes a closed database one of the version before it stored counts. */
export async function undoStoredCounts(database: string): Promise<void> {
  for (const statement of [
    "drop table follower",
    "drop table owners",
    "alter table chain drop column collection_count",
    "alter table collections drop column changed_at",
    "alter table token_transactions drop column number",
    "delete from kysely_migration where name in ('0003_stored_counts', '0004_follower_row')",
  ]) {
    await execute(database, statement);
  }
}
