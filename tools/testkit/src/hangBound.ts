/**
 * Milliseconds after which anything that a test waits for counts as hanging: a condition, a child process, one answer of a
 * node. Far above what the slowest machine needs, so that a slow machine passes.
 */
export const hangBoundMs = 600_000;
