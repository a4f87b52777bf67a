/**
 * Time in milliseconds after which anything that a test waits for counts as hanging: a condition, a child process, a node's
 * answer. Far above what the slowest machine needs.
 */
export const hangBoundMs = 600_000;

/** Node ends a longer timer after a millisecond. */
const longestTimerMs = 2 ** 31 - 1;

/** Time in milliseconds for a test of many runs, each of which may take {@link hangBoundMs}; at most 24 days. */
export function hangBoundOf(runs: number): number {
  return Math.min(runs * hangBoundMs, longestTimerMs);
}
