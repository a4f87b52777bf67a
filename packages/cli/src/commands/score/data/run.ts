import { join, resolve } from "node:path";
import type { Stage } from "@vipscore/core";
import { count } from "@vipscore/core/values";
import type { Engine, SourceColumn, SourceData } from "@vipscore/policy";
import type { Context } from "../../../context.ts";
import { optionalPackage } from "../../../optionalPackage.ts";
import { dataFolder, openPolicySources, type PolicyFlags } from "../../../score/policySources.ts";

/** The flags of `score data`. */
export interface DataFlags extends PolicyFlags {
  readonly stage: Stage;
}

/** What the comments call each engine. */
const titles: Readonly<Record<Engine, string>> = { duckdb: "DuckDB", spark: "Spark", clickhouse: "ClickHouse" };

/** Collects the sources of a policy, and prints their files and a view of each for other engines: `score data`. */
export async function describeData(context: Context, folder: string, flags: DataFlags): Promise<void> {
  const { io, output } = context;
  const { stage } = flags;
  const { signal } = io;
  const { collectSources, engines, findUnportable, readPolicy, sourceViews } =
    await optionalPackage("@vipscore/policy");
  const policy = await readPolicy(resolve(io.cwd, folder), { signal });
  const { sources } = await openPolicySources(context, policy, { stage, folder: dataFolder, flags });
  // What is not read from the chain has to last too, and belongs to this policy and stage alone.
  const own = join(io.cwd, dataFolder, `policy-${policy.digest.slice(0, 32)}-${stage}`);
  const collected = await collectSources(sources, { folder: own, signal });
  const views = collected.map((source) => sourceViews(source));
  const unportable = await findUnportable(policy.sql, sources);
  for (const source of collected) output.print(describe(source).join("\n"));
  for (const engine of engines) {
    output.print(`\n-- ${titles[engine]}`);
    for (const view of views) output.print(view[engine]);
  }
  for (const { place, what, why } of unportable) output.warn(`${place} uses ${what}: ${why}`);
  output.json({
    command: "score data",
    stage,
    policy: { name: policy.name, version: policy.version, chainId: policy.chainId, sha256: policy.digest },
    sources: collected.map(({ name, kind, columns, files, lastHeight, rows, digest }, index) => ({
      name,
      kind,
      rows,
      sha256: digest,
      columns: columns.map((column) => ({ name: column.name, type: column.type, parquet: parquetType(column) })),
      files,
      lastHeight: lastHeight ?? null,
      views: views[index],
    })),
    unportable,
  });
}

/** The comments above the views, so that all of the output is SQL. */
function describe({ name, kind, columns, files, rows, digest }: SourceData): readonly string[] {
  return [
    `-- ${name}  ${kind}  ${count(rows, "row")} in ${count(files.length, "file")}  sha256 ${digest}`,
    ...columns.map((column) => `--   ${column.name}  ${column.type}, ${parquetType(column)}`),
  ];
}

/** The type that a column has in the files. */
function parquetType({ type, stored }: SourceColumn): string {
  if (type === "boolean") return "BOOLEAN";
  if (type !== "integer") return "STRING";
  return stored === "bigint" ? "INT64" : "DECIMAL(38, 0)";
}
