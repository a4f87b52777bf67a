import { startIndexer, type RunningIndexer, type StartIndexerOptions } from "@vipscore/indexer";
import type { Context } from "../context.ts";
import { followNotes } from "./followNotes.ts";

/** Starts the indexer and tells on stderr how far it is. */
export function serveIndexer(
  { io, output }: Context,
  options: Omit<StartIndexerOptions, "onEvent" | "signal">,
): Promise<RunningIndexer> {
  return startIndexer({ ...options, onEvent: followNotes(output), signal: io.signal });
}
