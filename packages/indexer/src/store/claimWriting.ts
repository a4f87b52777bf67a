import { setTimeout as pause } from "node:timers/promises";
import { VipError } from "@vipscore/core";
import SqliteDatabase from "better-sqlite3";
import { sql, type Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/** Names the lock among the advisory locks of a database; another program is unlikely to take the same number. */
const lockKey = "7308332211804922723";

/**
 * How long another program may still hold the claim, in milliseconds: a server notices the end of a program that was killed a
 * moment after a new one was started in its place.
 */
const patienceMs = 5_000;
const pauseMs = 200;

/**
 * Takes PostgreSQL's lock for the program that writes, held by the connection that asks: it ends with it, also when the
 * program or the server dies. A connection that has it takes it again.
 *
 * @throws VipError DATABASE_IN_USE when another connection has it for five seconds.
 */
export async function claimPostgres(connection: Kysely<Tables>): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    const query = sql<{ readonly held: boolean }>`select pg_try_advisory_lock(${lockKey}::bigint) as held`;
    const { rows } = await query.execute(connection);
    if (rows[0]?.held === true) return;
    if (waitedMs >= patienceMs) throw inUse();
    await pause(pauseMs);
  }
}

/**
 * Takes the lock beside a file of SQLite: a second file that is locked while this program runs, since a lock on the database
 * itself would keep readers out too. The system takes it back when the program dies.
 *
 * @returns what gives the lock back.
 * @throws VipError DATABASE_IN_USE when another one has it for five seconds; SqliteError.
 */
export function claimSqlite(path: string): () => void {
  const lock = new SqliteDatabase(`${path}.lock`, { timeout: patienceMs });
  try {
    lock.exec("begin exclusive");
  } catch (error) {
    lock.close();
    if (error instanceof SqliteDatabase.SqliteError && error.code.startsWith("SQLITE_BUSY")) throw inUse();
    throw error;
  }
  return () => void lock.close();
}

function inUse(): VipError {
  return new VipError("another indexer writes to the database", {
    code: "DATABASE_IN_USE",
    metaMessages: ["Name another database, or stop the other indexer. Any number of programs may read it."],
  });
}
