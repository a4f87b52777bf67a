import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  fileUnwritable,
  ScoreTable,
  u64Max,
  VipError,
  type Account,
  type InputError,
  type Score,
  type ScoreRow,
  type SignalOptions,
} from "@vipscore/core";
import { quoteText } from "@vipscore/core/errors";
import { group } from "@vipscore/core/values";
import { tableOf, type RowOrder } from "../data/sourceSql.ts";
import { duckdb } from "../duckdb.ts";
import type { Policy } from "../policy.ts";
import { policyRefused } from "../policyError.ts";
import { accountOrError } from "../sources/convertValue.ts";
import { collectSources, describeSources, type CollectedSource } from "../sources/openSources.ts";
import type { PolicySource, SourceData } from "../sources/policySource.ts";
import type { QueryJob, QueryLimits, QueryRows } from "./queryJob.ts";
import { limitsOf, startQuery, type RunPolicyOptions } from "./startQuery.ts";

/** The scores that a policy gives, and what they were made from. */
export interface PolicyResult {
  /** Sorted by account. */
  readonly table: ScoreTable;
  /** The sources that were counted, as a manifest names them. */
  readonly sources: readonly CollectedSource[];
  /** See `Policy.digest`. */
  readonly policyDigest: string;
  /** The version of DuckDB that ran the query, such as `v1.5.6`. */
  readonly duckdb: string;
  /** The accounts that the policy excludes although its query gave them a score, sorted by account. */
  readonly excluded: readonly ScoreRow[];
}

/**
 * Runs a policy over its sources. The query runs twice in a separate process, over the rows in their order with all threads, and in
 * the opposite one with one thread and without DuckDB's optimizer, and both must give the same scores. A query that takes rows by
 * a key also runs over them in a third order.
 *
 * @throws InputError `POLICY_REFUSED`, `POLICY_INVALID`; VipError `POLICY_LIMIT`, `POLICY_NOT_DETERMINISTIC` with the first
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
  const limits = limitsOf(options);
  return withRunFolder(options, async (folder) => {
    const collected = await collectSources(sources, { folder: join(folder, "sources"), signal });
    const scores = await runInOrders(policy.sql, collected, limits, join(folder, "spill"), { signal });
    const rows = [...scores].map(([account, score]) => ({ account, score }));
    rows.sort((one, other) => (one.account < other.account ? -1 : 1));
    const counted = rows.filter(({ account }) => !policy.excluded.has(account));
    requireTotal(counted);
    return {
      table: ScoreTable.from(counted),
      policyDigest: policy.digest,
      sources: describeSources(collected),
      duckdb: duckdb.version(),
      excluded: rows.filter(({ account }) => policy.excluded.has(account)),
    };
  });
}

/**
 * Runs the query over the rows in each order, in one process after the other, and compares their scores. The last run is without
 * DuckDB's optimizer, whose rules can lose rows (duckdb 25213).
 */
async function runInOrders(
  sql: string,
  sources: readonly SourceData[],
  limits: QueryLimits,
  spill: string,
  options: SignalOptions,
): Promise<ReadonlyMap<Account, Score>> {
  const run = async (order: RowOrder, mode: QueryJob["mode"]) => {
    const tables = sources.map((source) => tableOf(source, order));
    const threads = order === "stored" ? limits.threads : 1;
    const reader = new ScoreReader();
    const job = { sql, tables, limits: { ...limits, threads }, mode, spill };
    const byKey = await startQuery(job, (rows) => reader.add(rows), options);
    return { byKey, scores: reader.scores };
  };
  const { byKey, scores } = await run("stored", "optimized");
  const compare = async (order: RowOrder, mode: QueryJob["mode"]): Promise<string | undefined> =>
    findDifference(scores, (await run(order, mode)).scores);
  const shuffled = byKey.length === 0 ? undefined : await compare("shuffled", "optimized");
  const difference = shuffled ?? (await compare("reversed", "plain"));
  if (difference === undefined) return scores;
  const isOfKey =
    shuffled !== undefined || (byKey.length > 0 && (await compare("reversed", "optimized")) !== undefined);
  throw new VipError(difference, {
    code: "POLICY_NOT_DETERMINISTIC",
    metaMessages: isOfKey
      ? [`They differ with the order of the rows. Give each of these a unique key: ${byKey.join(", ")}.`]
      : [
          "They differ with and without DuckDB's optimizer, so it is not known which are right.",
          "Write the query in another way, such as with a WITH that has only the columns it needs, and report it to DuckDB.",
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

/** The first account whose score differs in another run, with both and how many differ; undefined if none does. */
function findDifference(expected: ReadonlyMap<Account, Score>, found: ReadonlyMap<Account, Score>): string | undefined {
  const different = new Set<Account>();
  for (const scores of [expected, found]) {
    for (const account of scores.keys()) if (expected.get(account) !== found.get(account)) different.add(account);
  }
  const [first] = [...different].sort();
  if (first === undefined) return undefined;
  const [one, other] = [expected, found].map((scores) => scores.get(first) ?? "no row");
  const more = different.size === 1 ? "" : `; ${group(different.size)} accounts differ`;
  return `two runs of the policy give ${first} different scores: ${one} and ${other}${more}`;
}

class ScoreReader {
  readonly scores = new Map<Account, Score>();
  readonly #spellings = new Map<Account, string>();

  /** @throws InputError `POLICY_REFUSED` with the value for the first row that is not an account and a score. */
  add({ addresses, scores }: QueryRows): void {
    for (const [row, spelling] of addresses.entries()) {
      if (spelling === null) throw policyRefused("the query returns a row whose address is null");
      const account = parseSpelling(spelling);
      const score = scoreOf(scores[row] ?? null, account);
      if (this.scores.has(account)) throw repeated(account, this.#spellings.get(account) ?? account, spelling);
      this.scores.set(account, score);
      // Nearly every query gives accounts in the form that its sources have.
      if (spelling !== account) this.#spellings.set(account, spelling);
    }
  }
}

function parseSpelling(spelling: string): Account {
  const account = accountOrError(spelling);
  if (typeof account === "string") return account;
  throw policyRefused(`the query returns a row without an account: ${account.shortMessage}`, { cause: account });
}

function scoreOf(value: string | null, account: Account): Score {
  if (value === null) throw policyRefused(`the query gives ${account} a score that is null`);
  const score = BigInt(value);
  if (score < 0n || score > u64Max) {
    throw policyRefused(`the query gives ${account} the score ${score}; scores go from 0 to ${u64Max}`);
  }
  return score;
}

function repeated(account: Account, first: string, second: string): InputError {
  const spellings = first === second ? "" : `, as ${quoteText(first)} and as ${quoteText(second)}`;
  return policyRefused(`the query gives ${account} two rows${spellings}`, {
    metaMessages: ["Group by the account, so that each has one row."],
  });
}

/** Calls a function with an empty folder for what does not fit in memory, which is removed afterwards. */
export async function withRunFolder<T>(
  { spill = tmpdir() }: RunPolicyOptions,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(spill, "vipscore-run-")).catch((error: unknown) => {
    throw fileUnwritable(spill, error);
  });
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
