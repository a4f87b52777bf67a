import type { DuckDBConnection } from "@duckdb/node-api";
import type { SignalOptions } from "@vipscore/core";
import { policyLimit } from "../policyError.ts";

/** Interval between looks at the clock. An interrupt that comes just before a query starts is lost, so it is repeated. */
const checkMs = 50;

/**
 * Runs work on a connection and interrupts its queries when the time is over or the signal aborts.
 *
 * @throws CheckError `POLICY_LIMIT`; the signal's reason; errors of `work`.
 */
export async function withinTime<Result>(
  connection: DuckDBConnection,
  limit: { readonly seconds: number } & SignalOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const { seconds, signal } = limit;
  signal?.throwIfAborted();
  const end = performance.now() + seconds * 1000;
  let isOver = false;
  const timer = setInterval(() => {
    isOver ||= performance.now() > end;
    if (isOver || signal?.aborted === true) connection.interrupt();
  }, checkMs);
  try {
    return await work();
  } catch (error) {
    signal?.throwIfAborted();
    if (!isOver) throw error;
    throw policyLimit(
      `the policy takes more than ${seconds} s`,
      ["Aggregate before joining, and end recursions."],
      error,
    );
  } finally {
    clearInterval(timer);
  }
}
