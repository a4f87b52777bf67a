import type { SignalOptions } from "../readOptions.ts";
import { pause } from "./pause.ts";

/** Maximum waits for the endpoint and the chain, in milliseconds. */
export const patienceMs = {
  /** A failure that may pass: an outage, an overload, an unclear answer, rounds that write nothing. */
  outage: 30_000,
  /** A node that does not have a height yet. Nodes are seconds apart, not minutes. */
  behind: 10_000,
  /** Maximum lag between the nodes behind one endpoint: after this time, all of them know what one of them knows. */
  lag: 5_000,
  /** No answer of a node ever from this address: it is mistyped, or restarts. */
  stranger: 10_000,
  /** An answer that lacks the requested data: if it keeps coming, the node means it. */
  unreadable: 3_000,
  /** The block of a transaction. */
  inclusion: 120_000,
  /** An accepted transaction that the node does not show, before it is broadcast again: gossip and restarts. */
  unknown: 2_000,
  /**
   * A transaction behind a gap, until the node has dropped it: initia v1.4 keeps it for 60 s by default
   * (`abcipp.queued-gap-ttl`), and a margin.
   */
  gap: 65_000,
} as const;

/** The pauses between attempts, by what is repeated. */
export const pauses = {
  /** A block with the account's transactions. */
  block: { firstPauseMs: 100, longestPauseMs: 500 },
  /** A read that failed. */
  read: { firstPauseMs: 200, longestPauseMs: 2_000 },
  /** A read at a height that the node does not have yet: about a block. */
  behind: { firstPauseMs: 100, longestPauseMs: 100 },
  /** A read that showed a mix of states. */
  state: { firstPauseMs: 500, longestPauseMs: 2_000 },
  /** A round of sending that confirmed nothing. */
  round: { firstPauseMs: 500, longestPauseMs: 16_000 },
} as const;

/** Time limit of the first attempt of a read, in milliseconds; one after a slow attempt may take twice as long, and so on. */
export function attemptTimeoutMs(forMs: number): number {
  return forMs / 6;
}

/**
 * Returns the time limit of the answer to a transaction, in milliseconds: a third of the patience, so that a broadcast
 * that hangs leaves time to look the transaction up and to send it again.
 */
export function sendTimeoutMs(forMs: number = patienceMs.outage): number {
  return Math.ceil(forMs / 3);
}

export interface PatienceOptions {
  /** Maximum wait, in milliseconds from now. */
  readonly forMs: number;
  /** First pause, in milliseconds; each further pause is twice as long. Default: 10. */
  readonly firstPauseMs?: number;
  /** Longest pause, in milliseconds. Default: 500. */
  readonly longestPauseMs?: number;
}

/** Time between two pauses after which the machine has slept, in milliseconds: no attempt takes as long. */
const sleepMs = 90_000;

/**
 * A bounded wait for something that may pass, with growing pauses. Not affected by changes of the wall clock, except that the
 * wait starts again, once, after the machine has slept: what failed then says nothing about the endpoint.
 */
export class Patience {
  readonly #forMs: number;
  #end: number;
  #seenAt = Date.now();
  #hasSlept = false;
  readonly #longestPauseMs: number;
  #pauseMs: number;

  constructor({ forMs, firstPauseMs = 10, longestPauseMs = 500 }: PatienceOptions) {
    this.#forMs = forMs;
    this.#end = performance.now() + forMs;
    this.#longestPauseMs = longestPauseMs;
    this.#pauseMs = firstPauseMs;
  }

  /** Milliseconds left, at least 0. */
  get leftMs(): number {
    return Math.max(0, this.#end - performance.now());
  }

  /** Waits this many milliseconds longer in all. */
  extend(milliseconds: number): void {
    this.#end += milliseconds;
  }

  /**
   * Waits before the next attempt, but not past the end, so that the last attempt happens at the end.
   *
   * @param askedMs - Minimum wait, as an endpoint asks for with `Retry-After`.
   * @returns false, immediately, if no time is left.
   * @throws the signal's reason when aborted.
   */
  async pause(signal: AbortSignal | undefined, askedMs = 0): Promise<boolean> {
    signal?.throwIfAborted();
    this.#noteSleep();
    const { leftMs } = this;
    if (leftMs <= 0) return false;
    // Half of the pause is random, so that many clients of one busy node do not retry together.
    const next = Math.max(askedMs, this.#pauseMs * (0.5 + Math.random() / 2));
    this.#pauseMs = Math.min(this.#pauseMs * 2, this.#longestPauseMs);
    const pauseMs = Math.ceil(Math.min(next, leftMs));
    await pause(pauseMs, signal);
    this.#noteSleep(pauseMs);
    return true;
  }

  /** @param expectedMs - Time that was to pass since the last look. */
  #noteSleep(expectedMs = 0): void {
    const now = Date.now();
    if (!this.#hasSlept && now - this.#seenAt > expectedMs + sleepMs) {
      this.#hasSlept = true;
      this.#end = performance.now() + this.#forMs;
    }
    this.#seenAt = now;
  }
}

/**
 * Calls `read` until it returns a value, pausing as {@link Patience} does. Returns undefined once `timeoutMs` have passed.
 */
export async function pollUntil<T>(
  read: () => Promise<T | undefined>,
  options: SignalOptions & Omit<PatienceOptions, "forMs"> & { readonly timeoutMs: number },
): Promise<T | undefined> {
  const patience = new Patience({ ...options, forMs: options.timeoutMs });
  for (;;) {
    options.signal?.throwIfAborted();
    const value = await read();
    if (value !== undefined) return value;
    if (!(await patience.pause(options.signal))) return undefined;
  }
}

/**
 * Calls `read` until its value is good, for as long as nodes may lag behind each other, and returns the last value. That read
 * began after this time, however long one read takes.
 */
export async function readUntil<T>(
  read: () => Promise<T>,
  isGood: (value: T) => boolean,
  options: SignalOptions & { readonly forMs?: number },
): Promise<T> {
  const { signal, forMs = patienceMs.behind } = options;
  const patience = new Patience({ forMs, ...pauses.state });
  for (;;) {
    const isLast = patience.leftMs === 0;
    const value = await read();
    if (isLast || isGood(value)) return value;
    await patience.pause(signal);
  }
}
