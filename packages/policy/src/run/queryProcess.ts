import { existsSync, renameSync, rmSync } from "node:fs";
import { VipError } from "@vipscore/core/errors";
import { policyErrorOf } from "../data/readRows.ts";
import { memoryExceeded } from "../policyError.ts";
import type { QueryFault, QueryJob, QueryReply } from "./queryJob.ts";
import { runQuery } from "./runQuery.ts";

/** Interval between looks at the memory: the system limits addresses, of which a process has more. */
const lookMs = 10;

/** A separate process for one query: takes one {@link QueryJob}, sends {@link QueryReply}s and ends. */
process.once("message", (job: QueryJob) => void runJob(job));

async function runJob(job: QueryJob): Promise<void> {
  const { memoryMiB } = job.limits;
  // Without a parent, nobody else ends this process or removes what it spilled.
  process.once("disconnect", () => {
    if (existsSync(job.spill)) {
      // DuckDB is still writing: it cannot add files to a folder of another name.
      const left = `${job.spill}-left`;
      renameSync(job.spill, left);
      rmSync(left, { recursive: true, force: true });
    }
    end();
  });
  const look = setInterval(() => {
    if (process.memoryUsage.rss() <= memoryMiB * 2 ** 20) return;
    clearInterval(look);
    void sendReply(replyOf(memoryExceeded(memoryMiB))).finally(end);
  }, lookMs);
  try {
    await sendReply({ use: await runQuery(job, (rows) => sendReply({ rows })) });
  } catch (error) {
    await sendReply(replyOf(policyErrorOf(error, job.limits)));
  }
  end();
}

/** Waits until the parent has the reply, so that rows do not pile up here. */
function sendReply(reply: QueryReply): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(reply, undefined, undefined, (error) => (error === null ? resolve() : reject(error)));
  });
}

/** Ends at once: threads of DuckDB that are inside one call of a function cannot be interrupted. */
function end(): void {
  process.kill(process.pid, "SIGKILL");
}

function replyOf(error: unknown): QueryReply {
  if (!isFault(error)) return { bug: error instanceof Error ? `${error.stack}` : String(error) };
  const { code, shortMessage: problem, metaMessages, details } = error;
  return { fault: { code, problem, metaMessages, details } };
}

function isFault(error: unknown): error is VipError & { readonly code: QueryFault["code"] } {
  return VipError.isVipError(error) && /^POLICY_(?:INVALID|REFUSED|LIMIT)$/.test(error.code);
}
