import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import type { SignalOptions } from "@vipscore/core";
import { selectSource } from "../data/sourceSql.ts";
import { quoteName, type PolicySource } from "../sources/policySource.ts";

/** The last hours of a window, in seconds. */
const lastHours = 6n * 3_600n;

/**
 * Finds the accounts that appear in sources with times, and only within the last six hours of a window. A source may begin before the
 * window; what was earlier than it is not known.
 *
 * @param end Unix time of the window's last block, in seconds.
 * @returns undefined if no source has times.
 * @throws Errors of the sources; the signal's reason when aborted.
 */
export async function findNewcomers(
  sources: readonly PolicySource[],
  end: bigint,
  options: SignalOptions = {},
): Promise<ReadonlySet<string> | undefined> {
  const timed = sources.filter(({ columns }) =>
    columns.some(({ name, type }) => name === "time" && type === "integer"),
  );
  if (timed.length === 0) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "vipscore-check-"));
  const instance = await DuckDBInstance.create(":memory:", { temp_directory: join(folder, "spill") });
  const connection = await instance.connect();
  try {
    const seen: string[] = [];
    for (const source of timed) {
      const rows = selectSource(await source.collect({ ...options, folder }));
      for (const { name, type } of source.columns) {
        if (type === "address") seen.push(`select ${quoteName(name)} as account, "time" from (${rows})`);
      }
    }
    if (seen.length === 0) return new Set();
    const late = `having min("time") > ${end - lastHours}`;
    const found = await connection.runAndReadAll(
      `select account from (${seen.join(" union all ")}) group by account ${late}`,
    );
    return new Set(found.getRows().map(([account]) => String(account)));
  } finally {
    connection.closeSync();
    instance.closeSync();
    await rm(folder, { recursive: true, force: true });
  }
}
