import { setTimeout as pause } from "node:timers/promises";
import SqliteDatabase from "better-sqlite3";
import { sql, type Kysely } from "kysely";
import { VipError } from "@vipscore/core";
import { times } from "../times.ts";
import type { Tables } from "./tables.ts";

/** Number of the advisory lock; another program is unlikely to use the same. */
const lockKey = "7308332211804922723";

/**
 * Takes PostgreSQL's lock for the writing program. The connection holds it, so it ends with the connection, even if the
 * program or the server dies. A connection can take it repeatedly.
 *
 * @throws VipError DATABASE_IN_USE if another connection holds it for five seconds.
 */
export async function claimPostgres(connection: Kysely<Tables>): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += times.claimEveryMs) {
    const query = sql<{ readonly held: boolean }>`select pg_try_advisory_lock(${lockKey}::bigint) as held`;
    const { rows } = await query.execute(connection);
    if (rows[0]?.held === true) return;
    if (waitedMs >= times.claimMs) throw inUse();
    await pause(times.claimEveryMs);
  }
}

/** The locks of this program. The garbage collector closes a database that nothing refers to, which releases its lock. */
const locks = new Set<SqliteDatabase.Database>();

/**
 * Takes the lock for a SQLite file: a second file that is locked while this program runs, because a lock on the
 * database itself would also block readers. The system releases it if the program dies.
 *
 * @throws VipError DATABASE_IN_USE if another program holds it for five seconds; SqliteError.
 */
export function claimSqlite(path: string): () => void {
  const lock = new SqliteDatabase(`${path}.lock`, { timeout: times.claimMs });
  try {
    lock.exec("begin exclusive");
  } catch (error) {
    lock.close();
    if (error instanceof SqliteDatabase.SqliteError && error.code.startsWith("SQLITE_BUSY")) throw inUse();
    throw error;
  }
  locks.add(lock);
  return () => {
    locks.delete(lock);
    lock.close();
  };
}

function inUse(): VipError {
  return new VipError("another indexer writes to the database", {
    code: "DATABASE_IN_USE",
    metaMessages: ["Use another database, or stop the other indexer. Any number of programs may read it."],
  });
}
