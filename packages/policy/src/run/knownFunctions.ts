import type { DuckDBConnection } from "@duckdb/node-api";

/** DuckDB's information about its functions; names in lower case. */
export interface KnownFunctions {
  /** Functions with a form whose value may differ between two calls with the same arguments. */
  readonly changing: ReadonlySet<string>;
  /** The SQL of each form of a macro. */
  readonly macros: ReadonlyMap<string, readonly string[]>;
}

/** Reads what DuckDB says about its functions. */
export async function readFunctions(connection: DuckDBConnection): Promise<KnownFunctions> {
  const reader = await connection.runAndReadAll(
    "select lower(function_name), stability, macro_definition from duckdb_functions() where stability <> 'CONSISTENT' or macro_definition is not null",
  );
  const changing = new Set<string>();
  const macros = new Map<string, readonly string[]>();
  for (const [name, , definition] of reader.getRows()) {
    const key = String(name);
    if (typeof definition === "string") macros.set(key, [...(macros.get(key) ?? []), definition]);
    else changing.add(key);
  }
  return { changing, macros };
}
