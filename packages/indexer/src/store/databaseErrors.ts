import { VipError } from "@vipscore/core";
import SqliteDatabase from "better-sqlite3";
import pg from "pg";

/** PostgreSQL's error classes for lost connections, lack of resources, shutdown and trouble with its files (appendix A). */
const lostClasses = /^(?:08|53|57|58)/;

/** What the driver says of a connection that broke, without a code. */
const lostMessages = /^(?:Connection terminated|Client has encountered a connection error|timeout exceeded)/;

/**
 * Runs statements, and tells a database that is away or damaged as such. Nothing of a transaction that fails so is applied,
 * unless the connection broke between its end and the answer: the indexed height tells.
 *
 * @throws VipError DATABASE_UNREACHABLE, DATABASE_INVALID; anything else as it is.
 */
export async function withDatabaseErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw databaseError(error) ?? error;
  }
}

/** Whether SQLite says that a file is no database, or a damaged one. */
export function isDamaged(error: unknown): boolean {
  return error instanceof SqliteDatabase.SqliteError && /^SQLITE_(?:NOTADB|CORRUPT)/.test(error.code);
}

/** What a failure of a database or of the way to it is told as; undefined for any other error. */
export function databaseError(error: unknown): VipError | undefined {
  if (!(error instanceof Error) || error instanceof VipError) return undefined;
  if (isDamaged(error)) {
    return new VipError(`the database is damaged: ${error.message}`, {
      code: "DATABASE_INVALID",
      metaMessages: ["Name a new database: the indexer fills it from the chain."],
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
    metaMessages: ["See that it runs, that its disk has room, and that nothing else writes to it."],
    cause: error,
  });
}
