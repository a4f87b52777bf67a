import { pause } from "./pause.ts";

/**
 * How long the endpoint and the chain are waited for, in milliseconds. Reads, hand-overs, rounds and verifications all
 * take their time from here.
 */
export const patienceMs = {
  /** A failure that may pass: an outage, an overload, an unclear answer, rounds that write nothing. */
  outage: 30_000,
  /** A node that does not have a height yet. Nodes are seconds apart, not minutes. */
  behind: 10_000,
  /** How far the nodes behind one endpoint may be apart: what one of them knows, another one knows after this time. */
  lag: 5_000,
  /** Nobody at an address that never answered: more likely mistyped than restarting. */
  stranger: 3_000,
  /** An answer without what was asked for: a node that means it gives it every time. */
  unreadable: 3_000,
} as const;

/**
 * How long the answer to a transaction may take, in milliseconds: a third of the patience, so that a hand-over that hangs
 * leaves time to look the transaction up and to hand it over again.
 */
export function sendTimeoutMs(forMs: number = patienceMs.outage): number {
  return Math.ceil(forMs / 3);
}

export interface PatienceOptions {
  /** How long, in milliseconds from now. */
  readonly forMs: number;
  /** First pause, in milliseconds; each further one is twice as long. Default 10. */
  readonly firstPauseMs?: number;
  /** Longest pause, in milliseconds. Default 500. */
  readonly longestPauseMs?: number;
}

/** A bounded time of waiting for something that may pass, with growing pauses. Not affected by changes of the wall clock. */
export class Patience {
  readonly #end: number;
  readonly #longestPauseMs: number;
  #pauseMs: number;

  constructor({ forMs, firstPauseMs = 10, longestPauseMs = 500 }: PatienceOptions) {
    this.#end = performance.now() + forMs;
    this.#longestPauseMs = longestPauseMs;
    this.#pauseMs = firstPauseMs;
  }

  /** Milliseconds that are left; 0 when none are. */
  get leftMs(): number {
    return Math.max(0, this.#end - performance.now());
  }

  /**
   * Waits before the next attempt, never beyond the end, so that the last attempt is made there.
   *
   * @param askedMs - Wait at least so long, as an endpoint asks with `Retry-After`.
   * @returns false, at once, when no time is left.
   * @throws the signal's reason when aborted.
   */
  async pause(signal: AbortSignal | undefined, askedMs = 0): Promise<boolean> {
    signal?.throwIfAborted();
    const { leftMs } = this;
    if (leftMs <= 0) return false;
    // Half of the pause is random, so that many clients of one busy node do not come back together.
    const next = Math.max(askedMs, this.#pauseMs * (0.5 + Math.random() / 2));
    this.#pauseMs = Math.min(this.#pauseMs * 2, this.#longestPauseMs);
    await pause(Math.ceil(Math.min(next, leftMs)), signal);
    return true;
  }
}
