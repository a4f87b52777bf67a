import type { DuckDBTypeId, DuckDBValue } from "@duckdb/node-api";
import type { SignalOptions } from "@vipscore/core";
import { BrokenStream, chunksOf } from "../data/chunksOf.ts";
import { readParquetSql } from "../data/sourceSql.ts";
import { duckdb } from "../duckdb.ts";
import type { PolicyFile } from "../files/policyFile.ts";
import { policyInvalid } from "../policyError.ts";
import { duckdbMessage } from "../run/duckdbError.ts";
import { quoteName } from "./policySource.ts";

/** The rows of one chunk of a Parquet file; values as {@link plainValue} gives them. */
export interface ParquetChunk {
  /** Number of the first row, from 1. */
  readonly first: number;
  readonly rows: readonly (readonly unknown[])[];
}

/**
 * Reads columns of a Parquet file in the order of its rows.
 *
 * @throws InputError `POLICY_INVALID` if it is not Parquet or lacks a column; the signal's reason when aborted.
 */
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
    const types = columns.map((_, index) => result.columnTypeId(index));
    for await (const chunk of chunksOf(result)) {
      signal?.throwIfAborted();
      yield { first, rows: chunk.getRows().map((row) => row.map((value, index) => plainValue(value, types[index]))) };
      first += chunk.rowCount;
    }
  } catch (error) {
    const details = error instanceof BrokenStream ? error.message : duckdbMessage(error);
    if (details === undefined) throw error;
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
