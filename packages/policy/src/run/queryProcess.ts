import { existsSync, renameSync, rmSync } from "node:fs";
import { plainError, sendReply } from "@vipscore/core/childJob";
import { policyErrorOf } from "../data/readRows.ts";
import { memoryExceeded } from "../policyError.ts";
import type { QueryJob, QueryReply } from "./queryJob.ts";
import { runQuery } from "./runQuery.ts";

/** Interval between looks at the memory: the system limits addresses, of which a process has more. */
const lookMs = 10;

/** A separate process for one query: takes one job, sends {@link QueryReply}s and ends. */
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
    void sendReply({ error: plainError(memoryExceeded(job)) }).finally(end);
  }, lookMs);
  try {
    const result = await runQuery(job, (rows) => sendReply({ rows } satisfies QueryReply));
    await sendReply({ result } satisfies QueryReply);
  } catch (error) {
    await sendReply({ error: plainError(policyErrorOf(error, job)) });
  }
  end();
}

/** Ends at once: threads of DuckDB that are inside one call of a function cannot be interrupted. */
function end(): void {
  process.kill(process.pid, "SIGKILL");
}
