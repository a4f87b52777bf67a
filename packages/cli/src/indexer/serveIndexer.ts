import { startIndexer, type RunningIndexer, type StartIndexerOptions } from "@vipscore/indexer";
import type { Context } from "../context.ts";
import { followNotes } from "./followNotes.ts";

/** Starts the indexer and reports its progress on stderr. */
export function serveIndexer(
  { io, output }: Context,
  options: Omit<StartIndexerOptions, "onEvent" | "onRequestError" | "signal">,
): Promise<RunningIndexer> {
  const onRequestError = (error: unknown): void =>
    output.warn(`a request could not be answered: ${error instanceof Error ? error.message : String(error)}`);
  return startIndexer({ ...options, onEvent: followNotes(output), onRequestError, signal: io.signal });
}
