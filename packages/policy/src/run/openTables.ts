import type { DuckDBConnection } from "@duckdb/node-api";
import { escapeGlob, quoteString } from "../data/sourceSql.ts";
import { duckdb } from "../duckdb.ts";
import { quoteName } from "../sources/policySource.ts";
import type { QueryJob } from "./queryJob.ts";

/** Memory of Node and of what DuckDB does not count, in MiB. */
const uncountedMiB = 192;

/**
 * Threads of a query at most: each has buffers that the limit of memory does not count. DuckDB divides a hash table that does not
 * fit in memory into as many parts as it has threads, and each part must fit, so it believes that there are always as many.
 */
export const maxThreads = 4;

/**
 * Settings after the views are made. From then on a query reaches no file but those of its tables, no network, no extension and
 * no setting, and times are in UTC on every machine. The last one makes them final.
 */
const locked = [
  "TimeZone='UTC'",
  "enable_external_access=false",
  "autoinstall_known_extensions=false",
  "autoload_known_extensions=false",
  "lock_configuration=true",
];

/**
 * Rules of DuckDB 1.5.5 that lose rows, off in every run: a LEFT JOIN that repeats rows is dropped (duckdb 25213), a join's filter
 * reaches a table below a LIMIT (22963), equal rows below a window become one (23588), parts that only look alike run once (25819).
 */
const brokenRules = "join_elimination,join_filter_pushdown,top_n_window_elimination,common_subplan";

/** Opens a database with a view for each table, locked against everything else. */
export async function openTables({ tables, limits, spill, mode }: QueryJob): Promise<DuckDBConnection> {
  const instance = await duckdb.DuckDBInstance.create(":memory:", {
    threads: `${maxThreads}`,
    // Threads that DuckDB does not start: the one that runs the query, and those that would be too many.
    external_threads: `${maxThreads - limits.threads + 1}`,
    memory_limit: `${Math.floor((limits.memoryMiB - uncountedMiB) * 0.75)}MiB`,
    temp_directory: spill,
  });
  const connection = await instance.connect();
  // Several threads keep more rows in memory to give them in the order of the files, which no query may depend on.
  if (limits.threads > 1) await connection.run("set preserve_insertion_order = false");
  await connection.run(mode === "plain" ? "pragma disable_optimizer" : `set disabled_optimizers = '${brokenRules}'`);
  // As an option of the instance, DuckDB shows it and writes more.
  await connection.run(`set max_temp_directory_size = '${limits.spillMiB}MiB'`);
  for (const { name, select } of tables) await connection.run(`create view ${quoteName(name)} as ${select}`);
  // DuckDB asks for a path as it is written, and then for the file that it finds (duckdb PR 15722).
  const files = tables.flatMap((table) => table.files.flatMap((file) => [file, escapeGlob(file)]).map(quoteString));
  for (const setting of [`allowed_paths=[${files.join(", ")}]`, ...locked]) await connection.run(`set ${setting}`);
  return connection;
}
