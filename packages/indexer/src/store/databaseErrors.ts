import SqliteDatabase from "better-sqlite3";
import pg from "pg";
import { VipError } from "@vipscore/core";

/**
 * PostgreSQL's error classes for lost connections, lack of resources, shutdown and trouble with its files, and for
 * transactions that it rolled back because of others (appendix A): a read replica cancels reads that way if they hold up
 * what it replays.
 */
const lostClasses = /^(?:08|40|53|57|58)/;

/** The driver's messages without a code for a broken connection. */
const lostMessages = /^(?:Connection terminated|Client has encountered a connection error|timeout exceeded)/;

/**
 * Runs statements, and reports an unreachable or damaged database. A transaction that fails this way is not applied,
 * unless the connection broke between its commit and the answer: the indexed height shows which.
 *
 * @throws VipError DATABASE_UNREACHABLE, DATABASE_INVALID; any other error unchanged.
 */
export async function withDatabaseErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw databaseError(error) ?? error;
  }
}

export function isDamaged(error: unknown): boolean {
  return error instanceof SqliteDatabase.SqliteError && /^SQLITE_(?:NOTADB|CORRUPT)/.test(error.code);
}

/** Returns the error to report for a failure of a database or its connection; undefined for any other error. */
export function databaseError(error: unknown): VipError | undefined {
  if (!(error instanceof Error) || error instanceof VipError) return undefined;
  if (isDamaged(error)) {
    return new VipError(`the database is damaged: ${error.message}`, {
      code: "DATABASE_INVALID",
      metaMessages: ["Use a new database: the indexer fills it from the chain."],
      cause: error,
    });
  }
  const isLost =
    error instanceof SqliteDatabase.SqliteError
      ? /^SQLITE_(?:FULL|IOERR|BUSY|CANTOPEN|READONLY)/.test(error.code)
      : error instanceof pg.DatabaseError
        ? lostClasses.test(error.code ?? "")
        : lostMessages.test(error.message) || ("code" in error && /^E[A-Z]+$/.test(String(error.code)));
  if (!isLost) return undefined;
  return new VipError(`the database does not answer: ${error.message}`, {
    code: "DATABASE_UNREACHABLE",
    metaMessages: ["Check that it runs, that its disk has space, and that nothing else writes to it."],
    cause: error,
  });
}
