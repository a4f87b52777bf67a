/**
 * Time in milliseconds after which anything that a test waits for counts as hanging: a condition, a child process, a node's
 * answer. Far above what the slowest machine needs.
 */
export const hangBoundMs = 600_000;
