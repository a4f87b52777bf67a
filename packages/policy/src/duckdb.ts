import { createRequire } from "node:module";
import type * as DuckDB from "@duckdb/node-api";

/**
 * DuckDB's Node API. It is CommonJS in 181 files: an import lets Node search each of them for names, which takes each process of a
 * run a tenth of a second longer.
 */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- require has no type
export const duckdb = createRequire(import.meta.url)("@duckdb/node-api") as typeof DuckDB;
