import Sqlite from "better-sqlite3";

/** Returns the contents of a SQLite file, except for the bookkeeping of migrations, as comparable text. */
export function dumpDatabase(file: string): string {
  const database = new Sqlite(file, { readonly: true });
  try {
    const tables = database
      .prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      .all()
      .map(({ name }) => name)
      .filter((name) => !/migration|^sqlite_/.test(name));
    if (tables.length === 0) throw new Error(`${file} has no tables`);
    const rowsOf = (table: string) =>
      database
        .prepare<[], Record<string, unknown>>(`SELECT * FROM "${table}"`)
        .all()
        .map((row) =>
          JSON.stringify(row, (_, value: unknown) => (value instanceof Buffer ? value.toString("hex") : value)),
        )
        .sort();
    return tables.map((table) => `${table}\n${rowsOf(table).join("\n")}`).join("\n\n");
  } finally {
    database.close();
  }
}
