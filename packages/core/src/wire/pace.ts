import { pause } from "../time/pause.ts";

/** First gap between two requests after a refusal, and the longest, in milliseconds. */
const firstGapMs = 100;
const longestGapMs = 1_600;

/** Answers in a row before the gap halves. */
const answersBeforeFaster = 4;

/**
 * The pace of the requests to one endpoint. A node that refuses to work, in any words, gets its requests further and further
 * apart; one that answers gets them closer again, and without a gap in the end.
 */
export class Pace {
  #gapMs = 0;
  #nextAt = 0;
  #answered = 0;
  #slowedAt = -Infinity;

  /** Waits until the next request may be sent: in the order of the calls. */
  async turn(signal: AbortSignal | undefined): Promise<void> {
    const now = performance.now();
    const at = Math.max(now, this.#nextAt);
    this.#nextAt = at + this.#gapMs;
    if (at > now) await pause(Math.ceil(at - now), signal);
  }

  answered(): void {
    this.#answered += 1;
    if (this.#gapMs === 0 || this.#answered < answersBeforeFaster) return;
    this.#answered = 0;
    this.#gapMs = this.#gapMs > firstGapMs ? this.#gapMs / 2 : 0;
  }

  refused(): void {
    this.#answered = 0;
    const now = performance.now();
    // Requests that were under way together are refused together: they count once.
    if (now - this.#slowedAt < this.#gapMs) return;
    this.#slowedAt = now;
    this.#gapMs = Math.min(longestGapMs, Math.max(firstGapMs, this.#gapMs * 2));
    this.#nextAt = Math.max(this.#nextAt, now + this.#gapMs);
  }
}
