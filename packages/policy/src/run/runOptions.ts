import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileUnwritable, type SignalOptions } from "@vipscore/core";
import { maxThreads } from "./openTables.ts";
import type { QueryLimits } from "./queryJob.ts";

/** Resources that a run of a policy may use. Each run of its query has these limits, and they run one after the other. */
export interface RunPolicyOptions extends SignalOptions {
  /** Memory of the query's process in MiB, at least 512. Default: 1024. */
  readonly memoryMiB?: number;
  /** CPU time of the query in seconds for each of its threads. Default: 600. */
  readonly seconds?: number;
  /** Existing folder for what does not fit in memory; it is empty again afterwards. Default: the system's temporary folder. */
  readonly spill?: string;
  /** What the query may write there, in MiB. Default: 32,768. */
  readonly spillMiB?: number;
  /** Rows of the result. Default: 5,000,000. */
  readonly maxRows?: number;
}

/** Returns the limits of a query. */
export function limitsOf({
  memoryMiB = 1024,
  seconds = 600,
  spillMiB = 32_768,
  maxRows = 5_000_000,
}: RunPolicyOptions): QueryLimits {
  return { memoryMiB, seconds, spillMiB, maxRows, threads: Math.min(maxThreads, Math.max(2, availableParallelism())) };
}

/**
 * Calls a function with an empty folder for what does not fit in memory, which is removed afterwards.
 *
 * @throws InputError `FILE_UNWRITABLE`; what `work` throws.
 */
export async function withRunFolder<T>(
  { spill = tmpdir() }: RunPolicyOptions,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(spill, "vipscore-run-")).catch((error: unknown) => {
    throw fileUnwritable(spill, error);
  });
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
