import type { SignalOptions } from "@vipscore/core";
import type { PolicySource } from "../sources/policySource.ts";

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
  const firstSeen = new Map<string, bigint>();
  let hasTimes = false;
  for (const source of sources) {
    const time = source.columns.findIndex(({ name, type }) => name === "time" && type === "integer");
    if (time < 0) continue;
    hasTimes = true;
    const addresses = source.columns.flatMap(({ type }, index) => (type === "address" ? [index] : []));
    for await (const rows of source.collect(options)) {
      for (const row of rows) {
        const at = row[time];
        if (typeof at !== "bigint") continue;
        for (const index of addresses) {
          const account = String(row[index]);
          const before = firstSeen.get(account);
          if (before === undefined || at < before) firstSeen.set(account, at);
        }
      }
    }
  }
  if (!hasTimes) return undefined;
  const late = [...firstSeen].filter(([, at]) => at > end - lastHours);
  return new Set(late.map(([account]) => account));
}
