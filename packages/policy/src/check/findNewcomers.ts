import { join } from "node:path";
import { tableOf } from "../data/sourceSql.ts";
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
  const limits = limitsOf(options);
  await withRunFolder(options, async (folder) => {
    const collected = await collectSources(timed, { folder: join(folder, "sources"), signal: options.signal, limits });
    const tables = collected.map((source) => tableOf(source, "stored"));
    const job = { sql, tables, limits, isPlain: false, spill: join(folder, "spill") };
    await startQuery(
      job,
      ({ addresses }) => {
        for (const address of addresses) if (address !== null) found.add(address);
      },
      { signal: options.signal },
    );
  });
  return found;
}
