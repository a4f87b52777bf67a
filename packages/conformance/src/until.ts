import { pollUntil } from "@vipscore/core/engine";

/** Bound in milliseconds of everything that a scenario waits for, far above what the slowest machine needs. */
export const waitMs = 600_000;

/**
 * Calls `probe` until it returns something other than undefined or false, and returns that.
 *
 * @throws Error when it does not come within {@link waitMs}.
 */
export async function until<T>(what: string, probe: () => Promise<T | false | undefined>): Promise<T> {
  const found = await pollUntil(async () => (await probe()) || undefined, { timeoutMs: waitMs });
  if (found === undefined) throw new Error(`waited ${waitMs / 60_000} minutes for ${what}`);
  return found;
}
