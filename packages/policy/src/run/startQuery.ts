import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { InputError, type SignalOptions } from "@vipscore/core";
import { memoryExceeded, policyLimit, queryEnded, timeExceeded } from "../policyError.ts";
import type { QueryFault, QueryJob, QueryReply, QueryRows } from "./queryJob.ts";

const extension = extname(import.meta.url);
const program = fileURLToPath(new URL(`queryProcess${extension}`, import.meta.url));
/** Sources find the sources of other packages. */
const conditions = extension === ".ts" ? ["--conditions=@vipscore/source"] : [];

/** DuckDB keeps addresses of memory that it gave back: up to half as many again. The process itself looks at what it has. */
const dataPerMemory = 2;

/**
 * The shell sets the limits of the process: data in KiB, and CPU time in seconds, whose soft limit comes first: its signal says
 * what ended the process. A limit that the system does not have, or that is lower already, stays as it is.
 */
const limited = 'ulimit -d "$1"; ulimit -S -t "$2"; ulimit -H -t "$3"; shift 3; exec "$@"';

/**
 * Runs a query in a process whose memory and time the operating system limits. It ends when the signal aborts, and with the
 * process that started it.
 *
 * @param onRows Called with rows of the result, sorted by address. What it throws ends the query.
 * @returns How the query uses the order of rows.
 * @throws InputError `POLICY_REFUSED`, `POLICY_INVALID`; VipError `POLICY_LIMIT`, `QUERY_ENDED`; the signal's reason; what `onRows` throws.
 */
export async function startQuery(
  job: QueryJob,
  onRows: (rows: QueryRows) => void,
  { signal }: SignalOptions = {},
): Promise<"free" | "ordered"> {
  signal?.throwIfAborted();
  const { threads, memoryMiB, seconds } = job.limits;
  // CPU time alone: on a busy machine, a query that is allowed may take far longer.
  const cpuSeconds = seconds * threads;
  const limits = [memoryMiB * dataPerMemory * 1024, cpuSeconds, cpuSeconds + 1].map(String);
  const command = [process.execPath, ...conditions, program];
  // Nothing of the environment, which may have keys.
  const child = spawn("/bin/sh", ["-c", limited, "sh", ...limits, ...command], {
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    env: { TZ: "UTC" },
  });
  let lastWords = "";
  child.stderr?.on("data", (text: Buffer) => (lastWords = `${lastWords}${text.toString()}`.slice(-2_000)));
  let result: "free" | "ordered" | undefined;
  let failure: { readonly error: unknown } | undefined;
  const fail = (error: unknown): void => {
    failure ??= { error };
    child.kill("SIGKILL");
  };
  const abort = (): void => fail(signal?.reason);
  signal?.addEventListener("abort", abort);
  try {
    const end = new Promise<string>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (status, by) => resolve(by ?? `status ${status}`));
    });
    child.on("message", (reply: QueryReply) => {
      if (failure !== undefined) return;
      if ("use" in reply) result = reply.use;
      else if ("fault" in reply) failure = { error: errorOf(reply.fault) };
      else if ("bug" in reply) failure = { error: new Error(reply.bug) };
      else runOrFail(() => onRows(reply.rows), fail);
    });
    child.send(job, (error) => {
      if (error !== null) fail(error);
    });
    const by = await end;
    if (failure !== undefined) throw failure.error;
    if (result !== undefined) return result;
    if (by === "SIGXCPU") throw timeExceeded(cpuSeconds);
    throw noMemory.test(lastWords) ? memoryExceeded(memoryMiB) : queryEnded(by, lastWords);
  } finally {
    signal?.removeEventListener("abort", abort);
    await rm(job.spill, { recursive: true, force: true });
  }
}

/** What Node, the C++ library and the loader say if the system gives no more memory. */
const noMemory = /\bout of memory\b|\bbad_alloc\b|\ballocation failed\b|\bcannot allocate\b/i;

function runOrFail(work: () => void, fail: (error: unknown) => void): void {
  try {
    work();
  } catch (error) {
    fail(error);
  }
}

function errorOf({ code, problem, metaMessages, details }: QueryFault): Error {
  if (code === "POLICY_LIMIT") return policyLimit(problem, metaMessages);
  return new InputError(problem, { code, metaMessages, ...(details === undefined ? {} : { details }) });
}
