import SqliteDatabase from "better-sqlite3";
import { Kysely, SqliteDialect, type Compilable } from "kysely";
import { systemErrorCode, VipError } from "@vipscore/core";
import { times } from "../times.ts";
import { claimSqlite } from "./claimWriting.ts";
import type { Database } from "./database.ts";
import { isDamaged } from "./databaseErrors.ts";
import type { Tables } from "./tables.ts";

/** Page cache of a connection, in KiB: the upper index levels for a few million tokens. */
const cacheKib = 65_536;

/** Pages of the log before a checkpoint: an index page that changes often is then written only once. */
const checkpointPages = 8192;

/** Opens a database file, or `:memory:`; creates it if it is missing and to be written. */
export function openSqlite(path: string, { isWritten } = { isWritten: true }): Database {
  const files: SqliteDatabase.Database[] = [];
  try {
    const writerFile = openDatabaseFile(path, !isWritten);
    files.push(writerFile);
    // With a write-ahead log, readers continue during writes. A database in memory has no log and only one connection.
    writerFile.pragma("journal_mode = WAL");
    writerFile.pragma("synchronous = NORMAL");
    writerFile.pragma(`wal_autocheckpoint = ${checkpointPages}`);
    const writer = toKysely(writerFile);
    let readerFile = writerFile;
    let reader = writer;
    if (!writerFile.memory) {
      readerFile = openDatabaseFile(path);
      files.push(readerFile);
      readerFile.pragma("query_only = ON");
      reader = toKysely(readerFile);
    }
    const lists = withPreparedStatements(readerFile);
    let giveBack: (() => void) | undefined;
    return {
      engine: "sqlite",
      writer,
      reader,
      readRows: <Row extends readonly unknown[]>(query: Compilable) =>
        // Through the query builder, which lets no other statement run on the connection meanwhile.
        reader.connection().execute(async () => {
          const { sql, parameters } = query.compile();
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the columns of the caller's query
          return lists.prepare(sql).raw().all(parameters) as readonly Row[];
        }),
      claim: async () => {
        if (!writerFile.memory) giveBack ??= claimSqlite(path);
      },
      close: async () => {
        giveBack?.();
        if (reader !== writer) await reader.destroy();
        await writer.destroy();
        // A query builder that never ran a statement leaves its connection open.
        for (const file of files) file.close();
      },
    };
  } catch (error) {
    for (const file of files) file.close();
    // A native module for another Node says nothing about the file.
    throw systemErrorCode(error) === "ERR_DLOPEN_FAILED" ? error : unusable(path, error);
  }
}

function openDatabaseFile(path: string, fileMustExist = false): SqliteDatabase.Database {
  const file = new SqliteDatabase(path, { timeout: times.busyMs, fileMustExist });
  file.pragma(`cache_size = -${cacheKib}`);
  return file;
}

function toKysely(database: SqliteDatabase.Database): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database: withPreparedStatements(database) }) });
}

function unusable(path: string, error: unknown): VipError {
  return new VipError(
    `the database ${path} cannot be opened: ${error instanceof Error ? error.message : String(error)}`,
    {
      code: isDamaged(error) ? "DATABASE_INVALID" : "DATABASE_UNREACHABLE",
      metaMessages: ["Use a separate file in an existing folder, :memory:, or a postgres:// URL."],
      cause: error,
    },
  );
}

/** Number of cached statements; one that writes hundreds of rows takes a few hundred KiB. */
const maxKept = 50;

/** The methods that the query builder requires of a SQLite connection. */
interface StatementSource {
  readonly prepare: (sql: string) => SqliteDatabase.Statement;
  readonly close: () => void;
}

/**
 * Wraps a connection to cache its statements. The garbage collector does not see their memory, so new statements each
 * time would pile up during heavy writing.
 */
function withPreparedStatements(database: SqliteDatabase.Database): StatementSource {
  const kept = new Map<string, SqliteDatabase.Statement>();
  return {
    prepare: (sql) => {
      const statement = kept.get(sql) ?? database.prepare(sql);
      // The map is in order of use: the least recently used statement is removed first.
      kept.delete(sql);
      kept.set(sql, statement);
      const [oldest] = kept.keys();
      if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
      return statement;
    },
    close: () => void database.close(),
  };
}
