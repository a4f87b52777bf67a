import { selectSource } from "../data/sourceSql.ts";
import { duckdb } from "../duckdb.ts";
import { sourceEmpty } from "../policyError.ts";
import { quoteName, type PolicySource, type SourceData } from "./policySource.ts";

/** What a source has to have rows of, besides any. */
export type Wanted =
  /** Collections, in lower-case hex: each has tokens. */
  | { readonly collections: readonly `0x${string}`[] }
  /** A column of amounts: zero for every account is as good as no row. */
  | { readonly amounts: string }
  | undefined;

/**
 * Makes a source refuse to select nothing: a misspelt name and a stage without events would give the same scores.
 *
 * `collect` also throws VipError `SOURCE_EMPTY` for a source without rows, or without what is wanted.
 */
export function requireRows(source: PolicySource, wanted: Wanted): PolicySource {
  return {
    ...source,
    async collect(options) {
      const data = await source.collect(options);
      const problem = data.rows === 0 ? "selects nothing" : await findMissing(data, wanted);
      if (problem === undefined) return data;
      throw sourceEmpty(
        `source ${data.name} ${problem}`,
        "Check names, types, addresses and the window: what is misspelt selects nothing.",
      );
    },
  };
}

async function findMissing(data: SourceData, wanted: Wanted): Promise<string | undefined> {
  for (const { name } of data.columns.filter(({ nullable }) => nullable === true)) {
    if ((await distinctValues(data, name)).length === 0) return `has no row with ${name}`;
  }
  if (wanted === undefined) return undefined;
  if ("amounts" in wanted) {
    const values = await distinctValues(data, wanted.amounts);
    return values.some((value) => value !== "0") ? undefined : `has no account with ${wanted.amounts}`;
  }
  // A contract may have no event in a stage, but a collection has tokens.
  const found = new Set(await distinctValues(data, "collection"));
  const missing = wanted.collections.filter((collection) => !found.has(collection));
  return missing.length === 0 ? undefined : `has no token of ${missing.join(", ")}`;
}

/** The values of a column as text, each once; more than enough of them. */
async function distinctValues(source: SourceData, column: string): Promise<readonly string[]> {
  const instance = await duckdb.DuckDBInstance.create(":memory:", { threads: "1", temp_directory: "" });
  const connection = await instance.connect();
  try {
    const name = quoteName(column);
    const values = `select distinct ${name}::varchar from (${selectSource(source)}) where ${name} is not null limit 100000`;
    return (await connection.runAndReadAll(values)).getRows().map(([value]) => String(value));
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
