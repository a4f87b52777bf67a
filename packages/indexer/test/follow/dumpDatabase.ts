import Sqlite from "better-sqlite3";

/**
 * Returns the contents of a SQLite file as comparable text, except for what depends on how many blocks were written at
 * once: the bookkeeping of migrations, when the follower last looked, and the writes that changed a listing.
 */
export function dumpDatabase(file: string): string {
  const database = new Sqlite(file, { readonly: true });
  try {
    const tables = database
      .prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      .all()
      .map(({ name }) => name)
      .filter((name) => !/migration|^sqlite_|^follower$/.test(name));
    if (tables.length === 0) throw new Error(`${file} has no tables`);
    const rowsOf = (table: string) =>
      database
        .prepare<[], Record<string, unknown>>(`SELECT * FROM "${table}"`)
        .all()
        .map(({ changed_at: _at, compared_at: _compared, version: _version, ...row }) =>
          JSON.stringify(row, (_, value: unknown) => (value instanceof Buffer ? value.toString("hex") : value)),
        )
        .sort();
    return tables.map((table) => `${table}\n${rowsOf(table).join("\n")}`).join("\n\n");
  } finally {
    database.close();
  }
}
