import { NodeError, type VipError } from "../errors/vipError.ts";
import type { NewestHeightOptions, PinnedOptions, ReadOptions } from "../readOptions.ts";
import { attemptTimeoutMs, Patience, patienceMs, pauses, pollUntil } from "../time/patience.ts";
import { UnreadableAnswer } from "./answer.ts";
import { HttpStatusError, UnexpectedAnswerError, UnknownServiceError } from "./exchange.ts";
import type { Pace } from "./pace.ts";

export interface RetryReadOptions {
  /** The URL that requests go to, without credentials; for messages. */
  readonly endpoint: string;
  readonly signal: AbortSignal | undefined;
  /** True for a failure that may pass but should end this read, because a smaller request may avoid it. Default: none. */
  readonly isFinal?: ((error: NodeError) => boolean) | undefined;
  /** Maximum wait for failures that may pass, in milliseconds. Default: `outage` of {@link patienceMs}. */
  readonly patienceMs?: number | undefined;
  /** Slows down after each refusal to work, for all reads that share it. Default: none. */
  readonly pace?: Pace | undefined;
}

/**
 * Retries a read while it fails in a way that may pass (`isTransient` of NodeError): for 30 seconds; for ten while the node does
 * not have the height yet, or an address has never answered as a node; for three while the answer is unreadable. The wait for
 * its turn does not count. Waits as long as `Retry-After` asks if that is within the time.
 *
 * @param read - Makes one attempt, which may take this many milliseconds: a few seconds at first, so that one request
 * that hangs costs little, then longer after each slow attempt, so that a slow node has enough time.
 * @throws the last error; NodeError `NODE_BEHIND`; the signal's reason when aborted.
 */
export async function retryRead<T>(
  read: (timeoutMs: number) => Promise<T>,
  { endpoint, signal, isFinal, patienceMs: forMs = patienceMs.outage, pace }: RetryReadOptions,
): Promise<T> {
  const outage = new Patience({ forMs, ...pauses.read });
  const behind = new Patience({ forMs: patienceMs.behind, ...pauses.behind });
  const stranger = new Patience({ forMs: Math.min(forMs, patienceMs.stranger), ...pauses.read });
  const unreadable = new Patience({ forMs: Math.min(forMs, patienceMs.unreadable), ...pauses.read });
  const shortestMs = attemptTimeoutMs(forMs);
  for (let slowAttempts = 0; ;) {
    const timeoutMs = Math.ceil(Math.max(shortestMs, Math.min(shortestMs * (slowAttempts + 1), outage.leftMs)));
    const askedAt = performance.now();
    let startedAt = askedAt;
    try {
      return await atPace(pace, signal, () => {
        startedAt = performance.now();
        for (const each of [outage, behind, stranger, unreadable]) each.extend(startedAt - askedAt);
        return read(timeoutMs);
      });
    } catch (error) {
      signal?.throwIfAborted();
      if (isBehind(error)) {
        if (await behind.pause(signal)) continue;
        throw nodeBehind(endpoint, "it does not have a requested height", error);
      }
      if (!(error instanceof NodeError) || !error.isTransient || isFinal?.(error) === true) throw error;
      const patience = isOfStranger(error) ? stranger : error instanceof UnreadableAnswer ? unreadable : outage;
      // A failure that came quickly does not call for a longer attempt, which may hang.
      if (performance.now() - startedAt > timeoutMs / 2) slowAttempts += 1;
      if (!(await patience.pause(signal, error.retryAfterMs))) throw error;
    }
  }
}

/** Sends one request when its turn has come, and adapts the pace to its answer. */
export async function atPace<T>(
  pace: Pace | undefined,
  signal: AbortSignal | undefined,
  send: () => Promise<T>,
): Promise<T> {
  await pace?.turn(signal);
  try {
    const value = await send();
    pace?.answered();
    return value;
  } catch (error) {
    if (isRefusalToWork(error)) pace?.refused(error.retryAfterMs);
    throw error;
  }
}

/** True if the endpoint answered, and refused because of itself, not of the request: it is to be asked again, and less often. */
export function isRefusalToWork(error: unknown): error is NodeError {
  if (!(error instanceof NodeError) || !error.isTransient) return false;
  const isLate: boolean = isBehind(error);
  if (isLate) return false;
  return error.code === "NODE_ERROR" || error instanceof HttpStatusError || error instanceof UnexpectedAnswerError;
}

/** True if the URL is probably wrong: nothing listens there, or something that has never answered as a node. */
function isOfStranger(error: NodeError): boolean {
  return error instanceof UnknownServiceError || (error instanceof UnexpectedAnswerError && error.fromStranger);
}

/**
 * Texts that say that a node does not have a height yet. Sources: Cosmos SDK 0.50 (`baseapp/abci.go`), CometBFT 0.38
 * (`rpc/core/env.go`), minievm v1.2.18, geth, Hardhat 3. For a deleted height they say `lowest height is …`.
 */
const behindTexts = [
  /height in the future/i,
  /must be less than or equal to the current blockchain height/i,
  /requested height is greater than the latest block height/i,
  /height \d+ is not available(?!.*lowest)/i,
  /header not found|unknown block|invalid block tag/i,
];

/** A height that was deleted or does not exist yet (Cosmos SDK 0.50, `baseapp/abci.go`). */
const missingState = /failed to load state at height (\d+).*latest height: (\d+)/i;

/** True for a node's answer that it does not have a height yet. */
export function isBehind(error: unknown): error is NodeError {
  if (!(error instanceof NodeError) || error.isOfContract) return false;
  const { details = "" } = error;
  const [, requested = "0", latest = "0"] = missingState.exec(details) ?? [];
  return BigInt(requested) > BigInt(latest) || behindTexts.some((text) => text.test(details));
}

/** Creates the error for an endpoint whose node stays behind an earlier read. */
export function nodeBehind(endpoint: string, how: string, cause?: VipError): NodeError {
  return new NodeError(`${endpoint} is behind: ${how}`, {
    code: "NODE_BEHIND",
    metaMessages: [
      `Waited ${patienceMs.behind / 1000} s for it. A node behind this endpoint has stopped or is far behind the others; try again, or use another endpoint.`,
    ],
    ...(cause && { cause, details: cause.details ?? "" }),
  });
}

/** An error without a reason: "Internal error", "internal server error", or nothing. */
const noReason = /^\s*(internal (server |json-rpc )?error|no message)?[\s.!:]*$/i;

/**
 * Reasons that lie with the node or a proxy in front of it, not with the request. A node that has made a block but not stored its
 * results yet "could not find results" (CometBFT 0.38, `state/errors.go`).
 */
const passingReasons =
  /timed? ?out|deadline exceeded|rate.?limit|too many requests|capacity|compute units|per second|unavailable|overloaded|try again|connection (refused|reset)|could not find results|\beof\b/i;

/** True for a node's error text after which the same request may succeed later. */
export function isPassingText(text: string): boolean {
  return noReason.test(text) || passingReasons.test(text);
}

/**
 * Keeps the reads of one connection from going back to older state. Endpoints of public rollups balance over
 * several nodes, so the next answer may come from an older state than the last.
 */
export class MonotonicHeight {
  readonly #endpoint: string;
  readonly #read: (signal: AbortSignal | undefined) => Promise<bigint>;
  #height = 0n;

  /**
   * @param endpoint - Where requests go, without credentials; for messages.
   * @param read - Reads the newest height with readable state from the endpoint, once.
   */
  constructor(endpoint: string, read: (signal: AbortSignal | undefined) => Promise<bigint>) {
    this.#endpoint = endpoint;
    this.#read = read;
  }

  /** Records the height of a block in which the connection saw its transaction. */
  raise(height: bigint): void {
    if (height > this.#height) this.#height = height;
  }

  /**
   * Returns the newest height, never below an earlier result; waits at most `patienceMs.behind` for a node that is behind.
   *
   * @throws NodeError `NODE_BEHIND`; the errors of `read`.
   */
  async getHeight({ asks = 1, signal }: NewestHeightOptions = {}): Promise<bigint> {
    let shown = 0n;
    const newest = await pollUntil(
      async () => {
        const heights = await Promise.all(Array.from({ length: asks }, () => this.#read(signal)));
        shown = heights.reduce((high, next) => (next > high ? next : high));
        return shown < this.#height ? undefined : shown;
      },
      { timeoutMs: patienceMs.behind, signal },
    );
    if (newest === undefined) {
      throw nodeBehind(this.#endpoint, `it shows height ${shown}, and showed height ${this.#height} before`);
    }
    this.raise(newest);
    return newest;
  }

  /** Returns options with which several reads see one state, no older than any state that the connection has seen. */
  async pin({ height, signal }: ReadOptions): Promise<PinnedOptions> {
    return { height: height ?? (await this.getHeight({ signal })), signal };
  }
}
