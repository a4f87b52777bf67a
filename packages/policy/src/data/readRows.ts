import type { DuckDBDataChunk, DuckDBResult, DuckDBValue } from "@duckdb/node-api";
import type { SignalOptions } from "@vipscore/core";
import { duckdb } from "../duckdb.ts";
import { diskExceeded, memoryExceeded, policyInvalid, policyRefused, type LimitedQuery } from "../policyError.ts";
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
  if (value === null || typeof value === "string" || typeof value === "bigint" || typeof value === "boolean")
    return value;
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

/** Matches the start of DuckDB's error messages, which names the kind of the error. */
const kindOfMessage = /^(?:Failed to [\w ]+: )?([A-Z][\w ]*? Error): /;

/** Returns DuckDB's message if it reports an error of the query or its data; undefined for any other error. */
export function duckdbMessage(error: unknown): string | undefined {
  if (!(error instanceof Error) || !kindOfMessage.test(error.message)) return undefined;
  return /^(?:INTERNAL|FATAL)/i.test(error.message) ? undefined : error.message.trim();
}

/** Turns an error of DuckDB into one of the policy; returns any other error as it is. */
export function policyErrorOf(error: unknown, query: LimitedQuery): unknown {
  if (error instanceof BrokenStream) return diskExceeded(query, error);
  const details = duckdbMessage(error);
  if (details === undefined) return error;
  const [, kind] = kindOfMessage.exec(details) ?? [];
  if (kind === "Out of Memory Error") {
    if (!details.includes("max_temp_directory_size")) return memoryExceeded(query, error);
    return diskExceeded(query, error);
  }
  if (kind === "Permission Error") {
    return policyRefused("policy.sql reaches outside its sources", { details, cause: error });
  }
  // Partial sums of both signs pass the bound in some orders of the rows alone.
  const isSum = details.includes("Overflow in HUGEINT addition");
  const metaMessages = isSum
    ? ["It is the order of the rows that decides how far a sum goes on its way: divide the amounts first."]
    : [];
  return policyInvalid("policy.sql", isSum ? "adds beyond 38 digits" : "cannot be run", {
    details,
    metaMessages,
    cause: error,
  });
}
