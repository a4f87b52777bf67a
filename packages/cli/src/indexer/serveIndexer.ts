import type { RunningIndexer, StartIndexerOptions } from "@vipscore/indexer";
import type { Context } from "../context.ts";
import { optionalPackage } from "../optionalPackage.ts";
import { followNotes } from "./followNotes.ts";

/** Starts the indexer and reports its progress on stderr. @throws InputError `PACKAGE_MISSING`; errors of `startIndexer`. */
export async function serveIndexer(
  { io, output }: Context,
  options: Omit<StartIndexerOptions, "onEvent" | "onRequestError" | "signal">,
): Promise<RunningIndexer> {
  // It loads servers and databases, which no other command needs.
  const { startIndexer } = await optionalPackage("@vipscore/indexer");
  const onRequestError = (error: unknown): void =>
    output.warn(`a request could not be answered: ${error instanceof Error ? error.message : String(error)}`);
  return startIndexer({ ...options, onEvent: followNotes(output), onRequestError, signal: io.signal });
}

/**
 * Waits for the signal, which is the normal end of a command that serves.
 *
 * @throws the indexer's error if it ends before the signal.
 */
export async function untilAborted(signal: AbortSignal, indexer: RunningIndexer | undefined): Promise<void> {
  await Promise.race([aborted(signal), ...(indexer === undefined ? [] : [indexer.ended])]);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
