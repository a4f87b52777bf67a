import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import type { SignalOptions } from "@vipscore/core";
import { programBeside, runChildJob } from "@vipscore/core/childJob";
import { memoryExceeded, queryEnded, timeExceeded } from "../policyError.ts";
import { maxThreads } from "./openTables.ts";
import type { QueryJob, QueryLimits, QueryRows } from "./queryJob.ts";

/** DuckDB keeps addresses of memory that it gave back: up to half as many again. The process itself looks at what it has. */
const dataPerMemory = 2;

/**
 * The shell sets the limits of the process: data in KiB, and CPU time in seconds, whose soft limit comes first: its signal says
 * what ended the process. A limit that the system does not have, or that is lower already, stays as it is.
 */
const limited = 'ulimit -d "$1"; ulimit -S -t "$2"; ulimit -H -t "$3"; shift 3; exec "$@"';

/**
 * Runs a query in a process whose memory and time the operating system limits. It ends when the signal aborts, and with the
 * process that started it. `onRows` gets rows sorted by address; what it throws ends the query.
 */
export async function startQuery(
  job: QueryJob,
  onRows: (rows: QueryRows) => void,
  { signal }: SignalOptions = {},
): Promise<readonly string[]> {
  signal?.throwIfAborted();
  const { threads, memoryMiB, seconds } = job.limits;
  // CPU time alone: on a busy machine, a query that is allowed may take far longer.
  const cpuSeconds = seconds * threads;
  const limits = [memoryMiB * dataPerMemory * 1024, cpuSeconds, cpuSeconds + 1].map(String);
  const command = [process.execPath, ...programBeside(import.meta.url, "queryProcess")];
  // Nothing of the environment, which may have keys.
  const child = spawn("/bin/sh", ["-c", limited, "sh", ...limits, ...command], {
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    env: { TZ: "UTC" },
  });
  try {
    const options = { onReply: onRows, signal };
    const { result, by, lastWords } = await runChildJob<QueryRows, readonly string[]>(child, job, options);
    if (result !== undefined) return result;
    if (by === "SIGXCPU") throw timeExceeded(cpuSeconds, job.mode === "plain");
    throw noMemory.test(lastWords) ? memoryExceeded(job) : queryEnded(by, lastWords);
  } finally {
    await rm(job.spill, { recursive: true, force: true });
  }
}

/** What Node, the C++ library and the loader say if the system gives no more memory. */
const noMemory = /\bout of memory\b|\bbad_alloc\b|\ballocation failed\b|\bcannot allocate\b/i;

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

export function limitsOf({
  memoryMiB = 1024,
  seconds = 600,
  spillMiB = 32_768,
  maxRows = 5_000_000,
}: RunPolicyOptions = {}): QueryLimits {
  return { memoryMiB, seconds, spillMiB, maxRows, threads: Math.min(maxThreads, Math.max(2, availableParallelism())) };
}
