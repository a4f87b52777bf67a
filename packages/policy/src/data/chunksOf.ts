import type { DuckDBDataChunk, DuckDBResult } from "@duckdb/node-api";
import { duckdb } from "../duckdb.ts";

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
