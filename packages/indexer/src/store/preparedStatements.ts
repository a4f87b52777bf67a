import type SqliteDatabase from "better-sqlite3";

/** Number of cached statements; one that writes hundreds of rows takes a few hundred KiB. */
const maxKept = 50;

/** The methods that the query builder requires of a SQLite connection. */
export interface StatementSource {
  readonly prepare: (sql: string) => SqliteDatabase.Statement;
  readonly close: () => void;
}

/**
 * Wraps a connection to cache its statements. The garbage collector does not see their memory, so new statements each
 * time would pile up during heavy writing.
 */
export function withPreparedStatements(database: SqliteDatabase.Database): StatementSource {
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
