import { join } from "node:path";
import { InputError } from "@vipscore/core";
import { tableOf } from "../data/sourceSql.ts";
import type { Policy } from "../policy.ts";
import { probeFound } from "../run/probeSql.ts";
import type { QueryJob, QueryRows } from "../run/queryJob.ts";
import { withRunFolder } from "../run/runPolicy.ts";
import { limitsOf, startQuery, type RunPolicyOptions } from "../run/startQuery.ts";
import { collectSources } from "../sources/openSources.ts";
import { quoteName, type PolicySource } from "../sources/policySource.ts";

/** The last hours of a window, in seconds. */
const lastHours = 6n * 3_600n;

/**
 * Finds the accounts that appear in sources with times, and only within the last six hours of a window. A source may begin before the
 * window; what was earlier than it is not known.
 *
 * @param end Unix time of the window's last block, in seconds.
 * @param options The limits of the query that finds them, in a separate process.
 * @returns undefined if no source has times.
 * @throws VipError `POLICY_LIMIT`; errors of the sources; the signal's reason when aborted.
 */
export async function findNewcomers(
  sources: readonly PolicySource[],
  end: bigint,
  options: RunPolicyOptions = {},
): Promise<ReadonlySet<string> | undefined> {
  const timed = sources.filter(({ columns }) =>
    columns.some(({ name, type }) => name === "time" && type === "integer"),
  );
  if (timed.length === 0) return undefined;
  const seen = timed.flatMap((source) =>
    source.columns
      .filter(({ type }) => type === "address")
      .map(({ name }) => `select ${quoteName(name)} as account, "time" from ${quoteName(source.name)}`),
  );
  const found = new Set<string>();
  if (seen.length === 0) return found;
  const late = `having min("time") > ${end - lastHours}`;
  const sql = `select account as address, 0 as score from (${seen.join(" union all ")}) group by account ${late}`;
  const add = ({ addresses }: QueryRows): void => {
    for (const address of addresses) if (address !== null) found.add(address);
  };
  await queryOnce(timed, { sql, mode: "optimized" }, add, options);
  return found;
}

/**
 * Finds what in a policy's query silently left out rows of these sources: a division by 0, a NOT IN with a null, or an
 * arg_max() of one.
 *
 * @returns The first part that did, such as `NOT IN with a null`; an empty text if none; undefined if the query cannot be probed.
 * @throws As {@link findNewcomers}.
 */
export async function findDropped(
  { sql }: Pick<Policy, "sql">,
  sources: readonly PolicySource[],
  options: RunPolicyOptions = {},
): Promise<string | undefined> {
  try {
    await queryOnce(sources, { sql, mode: "probing" }, () => undefined, options);
    return "";
  } catch (error) {
    if (!InputError.isVipError(error) || error.code !== "POLICY_INVALID") throw error;
    const [, found] = error.details?.split(probeFound) ?? [];
    return found;
  }
}

/** Collects sources, and runs a query over them in a separate process. */
async function queryOnce(
  sources: readonly PolicySource[],
  query: Pick<QueryJob, "sql" | "mode">,
  onRows: (rows: QueryRows) => void,
  options: RunPolicyOptions,
): Promise<void> {
  const { signal } = options;
  const limits = limitsOf(options);
  await withRunFolder(options, async (folder) => {
    const collected = await collectSources(sources, { folder: join(folder, "sources"), signal, limits });
    const tables = collected.map((source) => tableOf(source, "stored"));
    await startQuery({ ...query, tables, limits, spill: join(folder, "spill") }, onRows, { signal });
  });
}
