import { BrokenStream } from "../data/readRows.ts";
import { diskExceeded, memoryExceeded, policyInvalid, policyRefused } from "../policyError.ts";
import type { QueryLimits } from "./queryJob.ts";

/** Matches the start of DuckDB's error messages, which names the kind of the error. */
const kindOfMessage = /^(?:Failed to [\w ]+: )?([A-Z][\w ]*? Error): /;

/** Returns DuckDB's message if it reports an error of the query or its data; undefined for any other error. */
export function duckdbMessage(error: unknown): string | undefined {
  if (!(error instanceof Error) || !kindOfMessage.test(error.message)) return undefined;
  return /^(?:INTERNAL|FATAL)/i.test(error.message) ? undefined : error.message.trim();
}

/** Turns an error of DuckDB into one of the policy; returns any other error as it is. */
export function policyErrorOf(error: unknown, { memoryMiB, spillMiB }: QueryLimits): unknown {
  if (error instanceof BrokenStream) return diskExceeded(memoryMiB, spillMiB, error);
  const details = duckdbMessage(error);
  if (details === undefined) return error;
  const [, kind] = kindOfMessage.exec(details) ?? [];
  if (kind === "Out of Memory Error") {
    if (!details.includes("max_temp_directory_size")) return memoryExceeded(memoryMiB, error);
    return diskExceeded(memoryMiB, spillMiB, error);
  }
  if (kind === "Permission Error") {
    return policyRefused("policy.sql reaches outside its sources", { details, cause: error });
  }
  return policyInvalid("policy.sql", "cannot be run", { details, cause: error });
}
