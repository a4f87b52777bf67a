import { open, rename, rm } from "node:fs/promises";
import { DuckDBInstance, type DuckDBAppender } from "@duckdb/node-api";
import type { SignalOptions } from "@vipscore/core";
import type { PolicyFile } from "../files/policyFile.ts";
import type { SourceColumn, SourceRow } from "../sources/policySource.ts";
import { readParquet } from "../sources/readParquet.ts";
import { quoteName } from "../sources/sqlName.ts";

/**
 * Writes rows to a Parquet file, completely or not at all. Integers are stored as decimal text, because Parquet has no integer of
 * 128 bits.
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
    const fields = columns.map(({ name, type }) => `${quoteName(name)} ${type === "boolean" ? "boolean" : "varchar"}`);
    await connection.run(`create table part (${fields.join(", ")})`);
    appendRows(await connection.createAppender("part"), columns, rows);
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

function appendRows(appender: DuckDBAppender, columns: readonly SourceColumn[], rows: readonly SourceRow[]): void {
  const areBooleans = columns.map(({ type }) => type === "boolean");
  try {
    for (const row of rows) {
      for (const [index, value] of row.entries()) {
        if (areBooleans[index] === true) appender.appendBoolean(value === true);
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
        return type === "integer" ? BigInt(String(value)) : String(value);
      }),
    );
  }
}
