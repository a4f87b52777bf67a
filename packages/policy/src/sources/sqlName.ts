/** Names that DuckDB gives to its own views. */
const systemName = /^(?:duckdb|pragma|pg|sqlite|information)_/;

/** True for a name that DuckDB may give to one of its views. */
export function isSystemName(name: string): boolean {
  return systemName.test(name.toLowerCase());
}

/** Quotes a name for SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
