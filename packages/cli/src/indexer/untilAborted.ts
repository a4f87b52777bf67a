import type { RunningIndexer } from "@vipscore/indexer";

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
