import type { DuckDBDataChunk, DuckDBResult, DuckDBValue } from "@duckdb/node-api";
import type { SignalOptions } from "@vipscore/core";
import { duckdb } from "../duckdb.ts";
import type { SourceData, SourceRow, SourceValue } from "../sources/policySource.ts";
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
      yield chunk.getRows().map((row) => row.map(sourceValue));
    }
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** The columns have no other types: integers are HUGEINT or BIGINT. */
function sourceValue(value: DuckDBValue): SourceValue {
  if (typeof value === "string" || typeof value === "bigint" || typeof value === "boolean") return value;
  throw new TypeError("a column has a value of another type");
}

/** A query failed after some of its rows were read, of memory, disk or a damaged file; DuckDB's Node API does not say why. */
export class BrokenStream extends Error {
  override readonly name = "BrokenStream";

  constructor() {
    super("DuckDB ended the rows before the last one");
  }
}

/**
 * Yields the chunks of a streamed result. Without this, a query that fails midway ends like one whose rows were all read.
 *
 * @throws {@link BrokenStream} after the rows that there were.
 */
export async function* chunksOf(result: DuckDBResult): AsyncGenerator<DuckDBDataChunk, void, undefined> {
  for await (const chunk of result) {
    if (chunk.rowCount > 0) yield chunk;
  }
  // As in DuckDB's C API, the return type of a result is "INVALID on error".
  if (result.returnType === duckdb.ResultReturnType.INVALID) throw new BrokenStream();
}
