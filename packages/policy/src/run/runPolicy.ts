import { availableParallelism } from "node:os";
import { version as duckdbVersion } from "@duckdb/node-api";
import {
  CheckError,
  ScoreTable,
  u64Max,
  type Account,
  type Score,
  type ScoreRow,
  type SignalOptions,
} from "@vipscore/core";
import type { Policy } from "../policy.ts";
import { policyRefused } from "../policyError.ts";
import { windowSourceName } from "../sources/openSources.ts";
import type { PolicySource } from "../sources/policySource.ts";
import { checkQuery } from "./checkQuery.ts";
import { policyErrorOf } from "./duckdbError.ts";
import { PolicyDatabase, type CollectedSource } from "./policyDatabase.ts";
import { runQuery } from "./runQuery.ts";
import { withinTime } from "./withinTime.ts";

/** Resources that a run of a policy may use. Each of its two runs has these limits. */
export interface RunPolicyOptions extends SignalOptions {
  /** Memory of the database in MiB. Default: 2048. */
  readonly memoryMiB?: number;
  /** Time of the query in seconds. Default: 600. */
  readonly seconds?: number;
  /** Rows of the result. Default: 5,000,000. */
  readonly maxRows?: number;
}

/** The scores that a policy gives, and what they were made from. */
export interface PolicyResult {
  /** Sorted by account. */
  readonly table: ScoreTable;
  /** See `Policy.digest`. */
  readonly policyDigest: string;
  readonly sources: readonly CollectedSource[];
  /** The version of DuckDB that ran the query, such as `v1.5.6`. */
  readonly duckdb: string;
  /** The accounts that the policy excludes although its query gave them a score, sorted by account. */
  readonly excluded: readonly ScoreRow[];
}

/**
 * Runs a policy over its sources. The query runs twice, over the rows in their order and in the opposite one, with all
 * threads and with one, and both must give the same scores.
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
  const memoryMiB = options.memoryMiB ?? 2048;
  try {
    const { scores, collected } = await runTwice(policy, sources, { ...options, memoryMiB });
    const rows = [...scores].map(([account, score]) => ({ account, score }));
    rows.sort((one, other) => (one.account < other.account ? -1 : 1));
    const counted = rows.filter(({ account }) => !policy.excluded.has(account));
    requireTotal(counted);
    return {
      table: ScoreTable.from(counted),
      policyDigest: policy.digest,
      // The window is not a source: its blocks are known without it.
      sources: collected.filter(({ name }) => name !== windowSourceName),
      duckdb: duckdbVersion(),
      excluded: rows.filter(({ account }) => policy.excluded.has(account)),
    };
  } catch (error) {
    throw policyErrorOf(error, memoryMiB);
  }
}

async function runTwice(
  { sql }: Policy,
  sources: readonly PolicySource[],
  options: RunPolicyOptions & { readonly memoryMiB: number },
): Promise<{ readonly scores: ReadonlyMap<Account, Score>; readonly collected: readonly CollectedSource[] }> {
  const { memoryMiB, seconds = 600, maxRows = 5_000_000, signal } = options;
  const limits = { memoryMiB, threads: Math.max(2, availableParallelism()) };
  const run = ({ connection }: PolicyDatabase): Promise<ReadonlyMap<Account, Score>> =>
    withinTime(connection, { seconds, signal }, () => runQuery(connection, sql, maxRows));
  const { database, collected } = await PolicyDatabase.load(sources, limits, { signal });
  let backward: PolicyDatabase | undefined;
  try {
    await checkQuery(
      database.connection,
      sql,
      sources.map(({ name }) => name),
    );
    const scores = await run(database);
    backward = await database.reversed(sources, { ...limits, threads: 1 }, { signal });
    requireSame(scores, await run(backward));
    return { scores, collected };
  } finally {
    database.close();
    backward?.close();
  }
}

function requireSame(scores: ReadonlyMap<Account, Score>, again: ReadonlyMap<Account, Score>): void {
  const accounts = [...new Set([...scores.keys(), ...again.keys()])];
  const different = accounts.filter((account) => scores.get(account) !== again.get(account)).sort();
  const [first] = different;
  if (first === undefined) return;
  const shown = [scores.get(first), again.get(first)].map((score) => (score === undefined ? "no row" : `${score}`));
  throw new CheckError(`two runs of the policy give ${first} different scores: ${shown.join(" and ")}`, {
    code: "POLICY_NOT_DETERMINISTIC",
    metaMessages: [
      `${different.length.toLocaleString("en-US")} of ${accounts.length.toLocaleString("en-US")} accounts differ when the rows of the sources come in another order.`,
      "Add ORDER BY with a unique key to LIMIT, window functions, first() and string_agg(); sum integers rather than floats.",
    ],
  });
}

function requireTotal(rows: readonly ScoreRow[]): void {
  let total = 0n;
  for (const { score } of rows) total += score;
  if (total > u64Max) {
    throw policyRefused(`the scores add up to ${total}; a stage's total goes up to ${u64Max}`);
  }
}
