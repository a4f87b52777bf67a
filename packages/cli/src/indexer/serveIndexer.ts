import type { RunningIndexer, StartApiOptions, StartIndexerOptions } from "@vipscore/indexer";
import type { Context } from "../context.ts";
import { optionalPackage } from "../optionalPackage.ts";
import type { Output } from "../output/output.ts";
import { followNotes } from "./followNotes.ts";

/** Starts the indexer and reports its progress on stderr. @throws InputError `PACKAGE_MISSING`; errors of `startIndexer`. */
export async function serveIndexer(
  { io, output }: Context,
  options: Omit<StartIndexerOptions, "onEvent" | "onRequestError" | "signal">,
): Promise<RunningIndexer> {
  // It loads servers and databases, which no other command needs.
  const { startIndexer } = await optionalPackage("@vipscore/indexer");
  const onRequestError = requestWarnings(output);
  return startIndexer({ ...options, onEvent: followNotes(output), onRequestError, signal: io.signal });
}

/** Serves a database that another process fills. @throws InputError `PACKAGE_MISSING`; errors of `startApi`. */
export async function serveDatabase(
  { output }: Context,
  options: Omit<StartApiOptions, "onRequestError">,
): Promise<Pick<RunningIndexer, "url" | "stop">> {
  const { startApi } = await optionalPackage("@vipscore/indexer");
  return startApi({ ...options, onRequestError: requestWarnings(output) });
}

function requestWarnings(output: Output): (error: unknown) => void {
  return (error) =>
    output.warn(`a request could not be answered: ${error instanceof Error ? error.message : String(error)}`);
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
