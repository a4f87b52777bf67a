import { join } from "node:path";
import { ScoreTable, u64Max, type Account, type Score, type ScoreRow, type SignalOptions } from "@vipscore/core";
import { tableOf, type RowOrder } from "../data/sourceSql.ts";
import { duckdb } from "../duckdb.ts";
import type { Policy } from "../policy.ts";
import { policyRefused } from "../policyError.ts";
import { collectSources, describeSources, type SourceDigests } from "../sources/collectSources.ts";
import type { PolicySource, SourceData } from "../sources/policySource.ts";
import type { QueryLimits, QueryRows } from "./queryJob.ts";
import { limitsOf, withRunFolder, type RunPolicyOptions } from "./runOptions.ts";
import { ScoreComparison } from "./scoreComparison.ts";
import { ScoreReader } from "./scoreReader.ts";
import { startQuery } from "./startQuery.ts";

/** The scores that a policy gives, and what they were made from. */
export interface PolicyResult extends SourceDigests {
  /** Sorted by account. */
  readonly table: ScoreTable;
  /** See `Policy.digest`. */
  readonly policyDigest: string;
  /** The version of DuckDB that ran the query, such as `v1.5.6`. */
  readonly duckdb: string;
  /** The accounts that the policy excludes although its query gave them a score, sorted by account. */
  readonly excluded: readonly ScoreRow[];
}

/**
 * Runs a policy over its sources. The query runs twice in a separate process, over the rows in their order and in the
 * opposite one, with all threads and with one, and both must give the same scores. A query that takes rows by an ORDER BY also
 * runs over them in a third order.
 *
 * @throws InputError `POLICY_REFUSED`, `POLICY_INVALID`; CheckError `POLICY_LIMIT`, `POLICY_NOT_DETERMINISTIC` with the first
 * account that differs; errors of the sources; the signal's reason when aborted.
 * @example
 * const policy = await readPolicy("policies/season1");
 * const { table } = await runPolicy(policy, openSources(policy));
 */
export async function runPolicy(
  policy: Policy,
  sources: readonly PolicySource[],
  options: RunPolicyOptions = {},
): Promise<PolicyResult> {
  const { signal } = options;
  return withRunFolder(options, async (folder) => {
    const collected = await collectSources(sources, { folder: join(folder, "sources"), signal });
    const scores = await runInOrders(policy.sql, collected, limitsOf(options), join(folder, "spill"), { signal });
    const rows = [...scores].map(([account, score]) => ({ account, score }));
    rows.sort((one, other) => (one.account < other.account ? -1 : 1));
    const counted = rows.filter(({ account }) => !policy.excluded.has(account));
    requireTotal(counted);
    return {
      table: ScoreTable.from(counted),
      policyDigest: policy.digest,
      ...describeSources(collected),
      duckdb: duckdb.version(),
      excluded: rows.filter(({ account }) => policy.excluded.has(account)),
    };
  });
}

/** Runs the query over the rows in each order, in one process after the other. */
async function runInOrders(
  sql: string,
  sources: readonly SourceData[],
  limits: QueryLimits,
  spill: string,
  options: SignalOptions,
): Promise<ReadonlyMap<Account, Score>> {
  const start = (order: RowOrder, onRows: (rows: QueryRows) => void) => {
    const tables = sources.map((source) => tableOf(source, order));
    const threads = order === "stored" ? limits.threads : 1;
    return startQuery({ sql, tables, limits: { ...limits, threads }, spill }, onRows, options);
  };
  const first = new ScoreReader();
  const use = await start("stored", (rows) => first.add(rows));
  const orders: readonly RowOrder[] = use === "ordered" ? ["reversed", "shuffled"] : ["reversed"];
  for (const order of orders) {
    const comparison = new ScoreComparison(first.scores);
    await start(order, (rows) => comparison.add(rows));
    comparison.finish();
  }
  return first.scores;
}

function requireTotal(rows: readonly ScoreRow[]): void {
  let total = 0n;
  for (const { score } of rows) total += score;
  if (total > u64Max) {
    throw policyRefused(`the scores add up to ${total}; a stage's total goes up to ${u64Max}`);
  }
}
