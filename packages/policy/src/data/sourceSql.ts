import type { QueryTable } from "../run/queryJob.ts";
import { quoteName, type SourceColumn, type SourceData } from "../sources/policySource.ts";

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

export function tableOf(source: SourceData, order: RowOrder): QueryTable {
  const { name, columns } = source;
  const files = order === "reversed" ? source.reversed : source.files;
  const patterns = columns.flatMap(({ pattern }) => pattern ?? []);
  return { name, patterns, files, select: selectSource(source, order) };
}

/** Returns the SELECT of a source's rows, which DuckDB reads from the source's files. */
export function selectSource(source: SourceData, order: RowOrder = "stored"): string {
  const paths = order === "reversed" ? source.reversed : source.files;
  const isShuffled = order === "shuffled" && paths.length > 0;
  return `${selectColumns(source, paths)}${isShuffled ? " order by hash(file_index, file_row_number)" : ""}`;
}

/** Returns the SELECT of a source's rows with one more column: `place`, ascending in the order of the rows. */
export function selectPlaced(source: SourceData): string {
  return selectColumns(source, source.files, { name: "place", value: "(file_index::bigint << 32) + file_row_number" });
}

function selectColumns(
  { columns, lastHeight }: SourceData,
  paths: readonly string[],
  place?: { readonly name: string; readonly value: string },
): string {
  const isEmpty = paths.length === 0;
  const fields = columns.map((column) => ({
    name: column.name,
    value: isEmpty ? `null::${sqlType(column)}` : sqlValue(column),
  }));
  if (place !== undefined) fields.push(isEmpty ? { ...place, value: "null::bigint" } : place);
  const selected = fields.map(({ name, value }) => `${value} as ${quoteName(name)}`).join(", ");
  if (isEmpty) return `select ${selected} where false`;
  const upTo = lastHeight === undefined ? "" : ` where height <= ${lastHeight}`;
  return `select ${selected} from ${readParquetSql(paths)}${upTo}`;
}

/** Returns the call that reads Parquet files, whatever their names mean to DuckDB elsewhere. */
function readParquetSql(paths: readonly string[]): string {
  const literal = paths.map((path) => quoteString(escapeGlob(path)));
  return `read_parquet([${literal.join(", ")}], hive_partitioning = false)`;
}

/** Writes a path so that DuckDB takes none of its characters for a pattern. */
export function escapeGlob(path: string): string {
  return path.replaceAll(/[*?[]/g, "[$&]");
}

export function quoteString(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
