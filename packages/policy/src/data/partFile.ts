import { open, rename, rm } from "node:fs/promises";
import { DuckDBInstance, type DuckDBAppender } from "@duckdb/node-api";
import type { SignalOptions } from "@vipscore/core";
import type { PolicyFile } from "../files/policyFile.ts";
import { quoteName, type ColumnType, type SourceColumn, type SourceRow } from "../sources/policySource.ts";
import { readParquet } from "../sources/readParquet.ts";

/** Stored type of a column: integers as text if one of them needs more than 64 bits, because Parquet has no larger integers. */
type StoredType = "bigint" | "boolean" | "varchar";

const int64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n } as const;

/**
 * Writes rows to a Parquet file, completely or not at all.
 *
 * @throws Error of the system or of DuckDB.
 */
export async function writePartFile(
  path: string,
  columns: readonly SourceColumn[],
  rows: readonly SourceRow[],
): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1", temp_directory: "" });
  const connection = await instance.connect();
  const aside = `${path}.tmp`;
  try {
    const types = columns.map(({ type }, index) => storedType(type, rows, index));
    const fields = columns.map(({ name }, index) => `${quoteName(name)} ${types[index]}`);
    await connection.run(`create table part (${fields.join(", ")})`);
    appendRows(await connection.createAppender("part"), types, rows);
    await connection.run(`copy part to '${aside.replaceAll("'", "''")}' (format parquet, compression zstd)`);
    await syncFile(aside);
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

function storedType(type: ColumnType, rows: readonly SourceRow[], index: number): StoredType {
  if (type === "boolean") return "boolean";
  const isSmall = (value: unknown): boolean => typeof value === "bigint" && value >= int64.min && value <= int64.max;
  return type === "integer" && rows.every((row) => isSmall(row[index])) ? "bigint" : "varchar";
}

function appendRows(appender: DuckDBAppender, types: readonly StoredType[], rows: readonly SourceRow[]): void {
  try {
    for (const row of rows) {
      for (const [index, value] of row.entries()) {
        if (types[index] === "boolean") appender.appendBoolean(value === true);
        else if (types[index] === "bigint" && typeof value === "bigint") appender.appendBigInt(value);
        else appender.appendVarchar(typeof value === "string" ? value : `${value}`);
      }
      appender.endRow();
    }
  } finally {
    appender.closeSync();
  }
}

/** After a power failure, a file whose name is in the journal has its content. */
async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Reads the rows of a file that {@link writePartFile} wrote, in batches. @throws InputError `POLICY_INVALID` if it is damaged. */
export async function* readPartFile(
  file: PolicyFile,
  columns: readonly SourceColumn[],
  options: SignalOptions,
): AsyncGenerator<readonly SourceRow[], void, undefined> {
  const names = columns.map(({ name }) => name);
  for await (const { rows } of readParquet(file, names, options)) {
    yield rows.map((row) =>
      columns.map(({ type }, index) => {
        const value = row[index];
        if (type === "boolean") return value === true;
        if (type !== "integer") return String(value);
        return typeof value === "bigint" ? value : BigInt(String(value));
      }),
    );
  }
}
