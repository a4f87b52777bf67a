import { NodeError } from "../errors/nodeError.ts";
import { attemptTimeoutMs, Patience, patienceMs, pauses } from "../time/patience.ts";
import { StrangerError } from "./exchange.ts";
import { ForeignAnswer } from "./foreignAnswer.ts";
import { isBehind, nodeBehind } from "./nodeBehind.ts";
import { UnreadableAnswer } from "./unreadableAnswer.ts";

export interface RetryReadOptions {
  /** The URL that requests go to, without credentials; for messages. */
  readonly endpoint: string;
  readonly signal: AbortSignal | undefined;
  /** True for a failure that may pass but should end this read, because a smaller request may avoid it. Default: none. */
  readonly isFinal?: ((error: NodeError) => boolean) | undefined;
  /** Maximum wait for failures that may pass, in milliseconds. Default: `outage` of {@link patienceMs}. */
  readonly patienceMs?: number | undefined;
}

/**
 * Retries a read while it fails in a way that may pass (`mayPass` of NodeError): for 30 seconds; for ten while the node does
 * not have the height yet, or an address has never answered as a node; for three while the answer is unreadable.
 * Waits as long as `Retry-After` asks if that is within the time.
 *
 * @param read - Makes one attempt, which may take this many milliseconds: a few seconds at first, so that one request
 * that hangs costs little, then longer after each slow attempt, so that a slow node has enough time.
 * @throws the last error; NodeError `NODE_BEHIND`; the signal's reason when aborted.
 */
export async function retryRead<T>(
  read: (timeoutMs: number) => Promise<T>,
  { endpoint, signal, isFinal, patienceMs: forMs = patienceMs.outage }: RetryReadOptions,
): Promise<T> {
  const outage = new Patience({ forMs, ...pauses.read });
  const behind = new Patience({ forMs: patienceMs.behind, ...pauses.behind });
  const stranger = new Patience({ forMs: Math.min(forMs, patienceMs.stranger), ...pauses.read });
  const unreadable = new Patience({ forMs: Math.min(forMs, patienceMs.unreadable), ...pauses.read });
  const shortestMs = attemptTimeoutMs(forMs);
  for (let slowAttempts = 0; ;) {
    const timeoutMs = Math.ceil(Math.max(shortestMs, Math.min(shortestMs * (slowAttempts + 1), outage.leftMs)));
    const startedAt = performance.now();
    try {
      return await read(timeoutMs);
    } catch (error) {
      signal?.throwIfAborted();
      if (isBehind(error)) {
        if (await behind.pause(signal)) continue;
        throw nodeBehind(endpoint, "it does not have a requested height", error);
      }
      if (!(error instanceof NodeError) || !error.mayPass || isFinal?.(error) === true) throw error;
      const patience = isOfStranger(error) ? stranger : error instanceof UnreadableAnswer ? unreadable : outage;
      // A failure that came quickly does not call for a longer attempt, which may hang.
      if (performance.now() - startedAt > timeoutMs / 2) slowAttempts += 1;
      if (!(await patience.pause(signal, error.retryAfterMs))) throw error;
    }
  }
}

/** True if the URL is probably wrong: nothing listens there, or something that has never answered as a node. */
function isOfStranger(error: NodeError): boolean {
  return error instanceof StrangerError || (error instanceof ForeignAnswer && error.fromStranger);
}
