import { join } from "node:path";
import { InputError } from "@vipscore/core";
import { tableOf } from "../data/sourceSql.ts";
import type { Policy } from "../policy.ts";
import { probeFound } from "../run/probeSql.ts";
import { withRunFolder } from "../run/runPolicy.ts";
import { limitsOf, startQuery, type RunPolicyOptions } from "../run/startQuery.ts";
import { collectSources } from "../sources/openSources.ts";
import type { PolicySource } from "../sources/policySource.ts";

/**
 * Finds what in a policy's query silently left out rows of these sources: a division by 0, a NOT IN with a null, or an
 * arg_max() of one.
 *
 * @param options The limits of the query that finds it, in a separate process.
 * @returns The first part that did, such as `NOT IN with a null`; an empty text if none; undefined if the query cannot be probed.
 * @throws VipError `POLICY_LIMIT`; errors of the sources; the signal's reason when aborted.
 */
export async function findDropped(
  { sql }: Pick<Policy, "sql">,
  sources: readonly PolicySource[],
  options: RunPolicyOptions = {},
): Promise<string | undefined> {
  const { signal } = options;
  const limits = limitsOf(options);
  return withRunFolder(options, async (folder) => {
    const collected = await collectSources(sources, { folder: join(folder, "sources"), signal });
    const tables = collected.map((source) => tableOf(source, "stored"));
    const job = { sql, tables, limits, mode: "probing", spill: join(folder, "spill") } as const;
    try {
      await startQuery(job, () => undefined, { signal });
      return "";
    } catch (error) {
      if (!InputError.isVipError(error) || error.code !== "POLICY_INVALID") throw error;
      const [, found] = error.details?.split(probeFound) ?? [];
      return found;
    }
  });
}
