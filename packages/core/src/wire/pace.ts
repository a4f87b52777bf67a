import { pause } from "../time/pause.ts";

/** First gap between two requests after a refusal, the longest, and one that is as good as none, in milliseconds. */
const firstGapMs = 100;
const longestGapMs = 1_600;
const noGapMs = 4;

/** Longest wait that an endpoint may ask for, in milliseconds. */
const longestHoldMs = 10_000;

/** Answers in a row before the gap shrinks, and before a gap that was too short is forgotten by half. */
const answersBeforeFaster = 4;
const answersBeforeForgetting = 32;

/**
 * The pace of the requests to one endpoint. Where a node refuses to work, in any words, the gap between requests grows until it
 * answers, and then closes in on the longest gap that was too short. That one is forgotten step by step, so a node that no
 * longer limits requests gets them without a gap in the end.
 */
export class Pace {
  #gapMs = 0;
  /** The last gap with which requests were refused. */
  #tooShortMs = 0;
  #nextAt = 0;
  /** The end and the length of the wait after the last refusal. */
  #heldUntil = 0;
  #holdMs = 0;
  /** Answers since then. */
  #answered = 1;

  /** Waits until the next request may be sent. */
  async turn(signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      const now = performance.now();
      if (now >= this.#nextAt) {
        this.#nextAt = now + this.#gapMs;
        return;
      }
      await pause(Math.ceil(this.#nextAt - now), signal);
    }
  }

  answered(): void {
    // A request that was under way when another was refused.
    if (this.#gapMs === 0 || performance.now() < this.#heldUntil) return;
    this.#answered += 1;
    if (this.#answered % answersBeforeForgetting === 0) this.#tooShortMs /= 2;
    if (this.#answered % answersBeforeFaster !== 0) return;
    // A little above what was too short, because requests do not arrive as evenly as they are sent.
    const next = Math.max((this.#gapMs + this.#tooShortMs) / 2, this.#tooShortMs * 1.1);
    if (next < this.#gapMs) this.#gapMs = next < noGapMs ? 0 : next;
  }

  /** @param askedMs - Wait that the endpoint asks for. Default: it does not. */
  refused(askedMs = 0): void {
    const now = performance.now();
    // Requests that were under way together are refused together: they count once.
    if (now < this.#heldUntil) return;
    if (this.#answered > 0) {
      this.#tooShortMs = this.#gapMs;
      this.#gapMs = this.#gapMs === 0 ? firstGapMs : Math.min(longestGapMs, this.#gapMs * 1.5);
      this.#holdMs = this.#gapMs;
    } else {
      // Without an answer in between, it does not say that the gap is too short, but that the last wait was.
      this.#holdMs = Math.min(longestGapMs, this.#holdMs * 2);
    }
    this.#answered = 0;
    this.#heldUntil = now + Math.max(this.#holdMs, Math.min(longestHoldMs, askedMs));
    this.#nextAt = this.#heldUntil;
  }
}
