import type { DuckDBValue } from "@duckdb/node-api";
import type { SignalOptions } from "@vipscore/core";
import { duckdb } from "../duckdb.ts";
import type { SourceData, SourceRow, SourceValue } from "../sources/policySource.ts";
import { chunksOf } from "./chunksOf.ts";
import { selectSource, type RowOrder } from "./sourceSql.ts";

/**
 * Reads the rows of a collected source in batches.
 *
 * @throws Error of DuckDB or `BrokenStream` if a file is damaged; the signal's reason when aborted.
 */
export async function* readRows(
  source: SourceData,
  { signal, order }: SignalOptions & { readonly order?: RowOrder } = {},
): AsyncGenerator<readonly SourceRow[], void, undefined> {
  // One thread, so that the rows come in the order of the files.
  const instance = await duckdb.DuckDBInstance.create(":memory:", { threads: "1", temp_directory: "" });
  const connection = await instance.connect();
  try {
    for await (const chunk of chunksOf(await connection.stream(selectSource(source, order)))) {
      signal?.throwIfAborted();
      yield chunk.getRows().map((row) => row.map(valueOf));
    }
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** The columns have no other types: integers are HUGEINT or BIGINT. */
function valueOf(value: DuckDBValue): SourceValue {
  if (typeof value === "string" || typeof value === "bigint" || typeof value === "boolean") return value;
  throw new TypeError("a column has a value of another type");
}
