import type { QueryTable } from "../run/queryJob.ts";
import { quoteName, type SourceColumn, type SourceData } from "../sources/policySource.ts";

/** The type in SQL of a column. */
function sqlType({ type, stored }: SourceColumn): string {
  if (type === "boolean") return "boolean";
  if (type !== "integer") return "varchar";
  return stored ?? "hugeint";
}

/** A stored value as the column's type in SQL has it. */
function sqlValue(column: SourceColumn): string {
  const name = quoteName(column.name);
  if (sqlType(column) !== "hugeint") return `${name}::${sqlType(column)}`;
  // DuckDB divides by ten to the scale when it casts 38 digits to an integer: fifteen times as slow as 18, seven times as text.
  const most = "9".repeat(18);
  return `case when ${name} between -${most} and ${most} then ${name}::decimal(18, 0)::hugeint else ${name}::varchar::hugeint end`;
}

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
  if (paths.length === 0) {
    const fields = columns.map((column) => `null::${sqlType(column)} as ${quoteName(column.name)}`);
    return `select ${fields.join(", ")} where false`;
  }
  const selected = columns.map((column) => `${sqlValue(column)} as ${quoteName(column.name)}`).join(", ");
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
