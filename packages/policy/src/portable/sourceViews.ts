import { basename, dirname } from "node:path";
import { quoteString, selectSource } from "../data/sourceSql.ts";
import { quoteName, type SourceColumn, type SourceData } from "../sources/policySource.ts";

/** The engines that a source's view is written for. Policies run on DuckDB; the others can compute the same scores. */
export const engines = ["duckdb", "spark", "clickhouse"] as const;

/** One of {@link engines}. */
export type Engine = (typeof engines)[number];

/** Files that one glob names: ClickHouse takes up to 1,000. */
const filesInGlob = 500;

/** Returns the statement, for each engine, that makes a view of a source's rows, with the source's name. */
export function sourceViews(source: SourceData): Readonly<Record<Engine, string>> {
  const { name } = source;
  return {
    duckdb: `create or replace view ${quoteName(name)} as ${selectSource(source)};`,
    spark: `create or replace temporary view ${name} as ${selectFrom(source, spark)};`,
    clickhouse: `create or replace view ${name} as ${selectFrom(source, clickhouse)};`,
  };
}

/** Spark has no larger integers than decimals of 38 digits, and an error for what does not fit. */
const spark: Dialect = {
  value: (text, { type, stored }) => {
    if (type === "boolean") return text;
    return `cast(${text} as ${type === "integer" ? (stored ?? "decimal(38, 0)") : "string"})`;
  },
  read: (folder, names) => `parquet.${quote(`${folder.replaceAll(/[*?[\]{}\\]/g, "\\$&")}/${names}`)}`,
};

/** ClickHouse does not notice when 64 bits overflow, so all integers have 256; and it reads each column as one with nulls. */
const clickhouse: Dialect = {
  value: (text, { type, nullable }) => {
    const value = nullable === true ? text : `assumeNotNull(${text})`;
    return type === "integer" ? `toInt256(${value})` : value;
  },
  read: (folder, names) => `file(${quoteString(`${folder}/${names}`.replaceAll("\\", "\\\\"))}, Parquet)`,
};

/** What the SQL of an engine has for itself. */
interface Dialect {
  /** A value in the type of its column. */
  readonly value: (text: string, column: SourceColumn) => string;
  /** Reads files of a folder. */
  readonly read: (folder: string, names: string) => string;
}

function selectFrom({ columns, files, lastHeight }: SourceData, { value, read }: Dialect): string {
  const selectAs = (textOf: (column: SourceColumn) => string): string =>
    `select ${columns.map((column) => `${value(textOf(column), column)} as ${quote(column.name)}`).join(", ")}`;
  const selected = selectAs(({ name }) => quote(name));
  const upTo = lastHeight === undefined ? "" : ` where ${quote("height")} <= ${lastHeight}`;
  const selects: string[] = [];
  for (let start = 0; start < files.length; start += filesInGlob) {
    const some = files.slice(start, start + filesInGlob);
    const names = some.map((file) => basename(file)).join(",");
    selects.push(`${selected} from ${read(dirname(some[0] ?? ""), some.length === 1 ? names : `{${names}}`)}${upTo}`);
  }
  if (selects.length === 0) return `${selectAs(({ type }) => emptyValues[type])} where false`;
  return selects.join(" union all ");
}

/** Values that no row has: they only give the columns their types. */
const emptyValues: Readonly<Record<SourceColumn["type"], string>> = {
  address: "''",
  integer: "0",
  text: "''",
  boolean: "false",
};

function quote(name: string): string {
  return `\`${name.replaceAll("`", "``")}\``;
}
