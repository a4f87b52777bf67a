import type { QueryTable } from "../run/queryJob.ts";
import { quoteName, type ColumnType, type SourceData } from "../sources/policySource.ts";

/** The type in SQL of each type of column. */
const sqlTypes: Readonly<Record<ColumnType, string>> = {
  address: "varchar",
  integer: "hugeint",
  text: "varchar",
  boolean: "boolean",
};

/**
 * Order of a source's rows: as they were collected, exactly the opposite, or by a hash of their places. With one thread, DuckDB
 * reads rows in it.
 */
export type RowOrder = "stored" | "reversed" | "shuffled";

/** Returns the table of a source with its rows in an order. */
export function tableOf(source: SourceData, order: RowOrder): QueryTable {
  const files = order === "reversed" ? source.reversed : source.files;
  return { name: source.name, files, select: selectSource(source, order) };
}

/** Returns the SELECT of a source's rows, which DuckDB reads from the source's files. */
export function selectSource({ columns, files, reversed, lastHeight }: SourceData, order: RowOrder = "stored"): string {
  const paths = order === "reversed" ? reversed : files;
  const types = columns.map(({ name, type }) => ({ name: quoteName(name), type: sqlTypes[type] }));
  if (paths.length === 0) {
    return `select ${types.map(({ name, type }) => `null::${type} as ${name}`).join(", ")} where false`;
  }
  const selected = types.map(({ name, type }) => `${name}::${type} as ${name}`).join(", ");
  const upTo = lastHeight === undefined ? "" : ` where height <= ${lastHeight}`;
  const shuffled = order === "shuffled" ? " order by hash(file_index, file_row_number)" : "";
  return `select ${selected} from ${readParquetSql(paths)}${upTo}${shuffled}`;
}

/** Returns the call that reads Parquet files, whatever their names mean to DuckDB elsewhere. */
export function readParquetSql(paths: readonly string[]): string {
  const literal = paths.map((path) => quoteString(path.replaceAll(/[*?[]/g, "[$&]")));
  return `read_parquet([${literal.join(", ")}], hive_partitioning = false)`;
}

/** Quotes a text for SQL. */
export function quoteString(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
