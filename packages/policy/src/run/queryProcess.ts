import { existsSync, renameSync, rmSync } from "node:fs";
import { takeJob } from "@vipscore/core/childJob";
import { policyErrorOf } from "../data/readRows.ts";
import { memoryExceeded } from "../policyError.ts";
import type { QueryJob, QueryRows } from "./queryJob.ts";
import { runQuery } from "./runQuery.ts";

/** Interval between looks at the memory: the system limits addresses, of which a process has more. */
const lookMs = 10;

/** A separate process for one query. */
takeJob(runJob, end);

async function runJob(job: QueryJob, reply: (rows: QueryRows) => Promise<void>): Promise<readonly string[]> {
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
  const memory = new Promise<never>((_, reject) => {
    const look = setInterval(() => {
      if (process.memoryUsage.rss() <= job.limits.memoryMiB * 2 ** 20) return;
      clearInterval(look);
      reject(memoryExceeded(job));
    }, lookMs);
  });
  try {
    return await Promise.race([runQuery(job, reply), memory]);
  } catch (error) {
    throw policyErrorOf(error, job);
  }
}

/** Ends at once: threads of DuckDB that are inside one call of a function cannot be interrupted. */
function end(): void {
  process.kill(process.pid, "SIGKILL");
}
