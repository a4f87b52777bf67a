import type { DuckDBTypeId, DuckDBValue } from "@duckdb/node-api";
import type { SignalOptions } from "@vipscore/core";
import { IssueLog, quoteText } from "@vipscore/core/errors";
import { matching, object, withSchema, type Field } from "@vipscore/core/field";
import { BrokenStream, chunksOf, duckdbMessage } from "../data/readRows.ts";
import { readParquetSql } from "../data/sourceSql.ts";
import { writeSource } from "../data/writeSource.ts";
import { duckdb } from "../duckdb.ts";
import { findPolicyFile, readChunks, type AddFile, type PolicyFile } from "../files/policyFile.ts";
import { policyInvalid } from "../policyError.ts";
import { storedSpelling } from "../run/checkTexts.ts";
import type { ReferenceDefinition } from "../run/queryJob.ts";
import { limitsOf, startQuery } from "../run/startQuery.ts";
import { convertValue, ValueProblem } from "./convertValue.ts";
import {
  quoteName,
  type CollectOptions,
  type PolicySource,
  type SourceData,
  type SourceRow,
  type SourceValue,
} from "./policySource.ts";
import { readCsv } from "./readCsv.ts";
import type { SourceOrigin } from "./sourceDefinition.ts";
import { sourceColumns, sourceFields } from "./sourceFields.ts";

const readFields = object({
  ...sourceFields,
  file: matching(/\.(?:csv|parquet)$/i, "a .csv or a .parquet file"),
  columns: withSchema({ ...sourceColumns.schema, minProperties: 1 }, (field) => {
    const named = sourceColumns(field);
    return named.length > 0 ? named : field.fail("is empty; name the file's columns");
  }),
});

export async function readReferenceDefinition(source: Field, addFile: AddFile): Promise<ReferenceDefinition> {
  const { name, file, columns: named } = readFields(source);
  const { sha256 } = await addFile(file, source.at("file").place);
  const format = /\.csv$/i.test(file) ? "csv" : "parquet";
  return { kind: "reference", name, file, format, columns: named, sha256 };
}
readReferenceDefinition.schema = readFields.schema;

/** Number of rows in a batch of a CSV file. */
const batchRows = 2048;

/**
 * Opens a source of kind `reference`: the rows of a CSV or Parquet file, in the file's order.
 *
 * A Parquet file is read in a process with the limits of a query.
 *
 * `collect` throws InputError `POLICY_INVALID` for a file that cannot be used, VipError `POLICY_LIMIT` for one that needs too much; `FILE_CHANGED` for one that has changed since
 * `readPolicy`; `INPUT_INVALID` with every row that has a value of the wrong type; `FILE_UNREADABLE`.
 */
export function referenceSource(
  definition: ReferenceDefinition,
  { folder }: Pick<SourceOrigin, "folder">,
): PolicySource {
  const { name, kind, columns, format } = definition;
  const collect: PolicySource["collect"] = (options) => {
    const { folder: target, signal, limits = limitsOf() } = options;
    if (format === "csv") return writeReference(definition, folder, options);
    return startQuery({ source: definition, policy: folder, folder: target, limits }, () => undefined, { signal });
  };
  return { name, kind, columns, collect };
}

/** Reads the rows of a source's file, and writes them into the folder of a run. */
export function writeReference(
  definition: ReferenceDefinition,
  folder: string,
  options: CollectOptions,
): Promise<SourceData> {
  return writeSource(definition, readReferenceRows(folder, definition, options), options);
}

async function* readReferenceRows(
  folder: string,
  definition: ReferenceDefinition,
  options: SignalOptions = {},
): AsyncGenerator<readonly SourceRow[], void, undefined> {
  const { columns, format, sha256 } = definition;
  const file = { ...(await findPolicyFile(folder, definition.file, `${definition.name}: file`)), sha256 };
  const names = columns.map(({ name }) => name);
  const issues = new IssueLog(file.name);
  const convert = (values: readonly unknown[], row: number, types: readonly string[] = []): SourceRow => {
    const converted: SourceValue[] = [];
    for (const [index, column] of columns.entries()) {
      const value = convertValue(values[index], column);
      if (value instanceof ValueProblem) {
        // Only floating-point numbers are numbers here: whole ones look like integers.
        const advice = `its column is ${types[index]}, which rounds; write it as BIGINT or DECIMAL(38,0)`;
        const message = typeof values[index] === "number" ? `${value.message}: ${advice}` : value.message;
        issues.add(row, "ROW_MALFORMED", message);
        continue;
      }
      const spelling = column.type === "text" ? storedSpelling(String(value)) : undefined;
      if (spelling !== undefined && spelling !== value) {
        const problem = `${column.name} ${quoteText(String(value))} is an account, which sources have as ${spelling}`;
        issues.add(row, "ADDRESS_INVALID", `${problem}; declare the column as address`);
      }
      converted.push(value);
    }
    return converted;
  };
  // As in files of scores; the spaces of a text may matter.
  const trimmed = (field: string, index: number): string => (columns[index]?.type === "text" ? field : field.trim());
  if (format === "csv") {
    let batch: SourceRow[] = [];
    for await (const { row, fields } of readCsv(file, names, options)) {
      batch.push(convert(fields.map(trimmed), row));
      if (batch.length < batchRows) continue;
      if (issues.isEmpty) yield batch;
      batch = [];
    }
    if (batch.length > 0 && issues.isEmpty) yield batch;
  } else {
    for await (const { first, types, rows } of readParquet(file, names, options)) {
      const batch = rows.map((values, index) => convert(values, first + index, types));
      if (issues.isEmpty) yield batch;
    }
    for await (const _ of readChunks(file, options)) {
      // DuckDB reads the file by itself: this reads it again, up to the check of its digest.
    }
  }
  issues.throwIfAny();
}

/** The rows of one chunk of a Parquet file; values as {@link plainValue} gives them. */
interface ParquetChunk {
  /** Number of the first row, from 1. */
  readonly first: number;
  /** The file's types of the columns, as DuckDB names them: `DOUBLE`. */
  readonly types: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Reads columns of a Parquet file in the order of its rows. */
export async function* readParquet(
  file: PolicyFile,
  columns: readonly string[],
  { signal }: SignalOptions = {},
): AsyncGenerator<ParquetChunk, void, undefined> {
  // One thread, so that the rows come in the file's order.
  const instance = await duckdb.DuckDBInstance.create(":memory:", { threads: "1", temp_directory: "" });
  const connection = await instance.connect();
  let first = 1;
  try {
    const result = await connection.stream(
      `select ${columns.map(quoteName).join(", ")} from ${readParquetSql([file.path])}`,
    );
    const ids = columns.map((_, index) => result.columnTypeId(index));
    const types = columns.map((_, index) => result.columnType(index).toString());
    for await (const chunk of chunksOf(result)) {
      signal?.throwIfAborted();
      const rows = chunk.getRows().map((row) => row.map((value, index) => plainValue(value, ids[index])));
      yield { first, types, rows };
      first += chunk.rowCount;
    }
  } catch (error) {
    const details = error instanceof BrokenStream ? error.message : duckdbMessage(error);
    if (details === undefined || details.startsWith("Out of Memory")) throw error;
    throw policyInvalid(file.name, "cannot be read as Parquet with the columns of the policy", {
      details,
      cause: error,
    });
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Turns exact integers into bigints and bytes into `0x` and hex; leaves the rest, such as floats, as it is. */
function plainValue(value: DuckDBValue, type: DuckDBTypeId | undefined): unknown {
  if (value instanceof duckdb.DuckDBBlobValue) return `0x${Buffer.from(value.bytes).toString("hex")}`;
  if (value instanceof duckdb.DuckDBDecimalValue && value.scale === 0) return value.value;
  return typeof value === "number" && type !== undefined && smallIntegers.has(type) ? BigInt(value) : value;
}

/** The integer types whose values are JavaScript numbers. */
const smallIntegers: ReadonlySet<DuckDBTypeId> = new Set([
  duckdb.DuckDBTypeId.TINYINT,
  duckdb.DuckDBTypeId.SMALLINT,
  duckdb.DuckDBTypeId.INTEGER,
  duckdb.DuckDBTypeId.UTINYINT,
  duckdb.DuckDBTypeId.USMALLINT,
  duckdb.DuckDBTypeId.UINTEGER,
]);
