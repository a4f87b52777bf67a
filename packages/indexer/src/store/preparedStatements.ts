import type SqliteDatabase from "better-sqlite3";

/** How many statements are kept; one that writes hundreds of rows has some hundred KiB. */
const maxKept = 50;

/** What the query builder asks of a connection to SQLite. */
export interface StatementSource {
  readonly prepare: (sql: string) => SqliteDatabase.Statement;
  readonly close: () => void;
}

/**
 * The connection with its statements kept for the next time. Their memory is not the garbage collector's to see, so that
 * statements made anew each time pile up while much is written.
 */
export function withPreparedStatements(database: SqliteDatabase.Database): StatementSource {
  const kept = new Map<string, SqliteDatabase.Statement>();
  return {
    prepare: (sql) => {
      const statement = kept.get(sql) ?? database.prepare(sql);
      // The map's order is that of use: the one that was not used for longest goes first.
      kept.delete(sql);
      kept.set(sql, statement);
      const [oldest] = kept.keys();
      if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
      return statement;
    },
    close: () => void database.close(),
  };
}
