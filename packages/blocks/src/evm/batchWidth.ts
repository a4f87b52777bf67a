/** Answered full batches in a row before the width doubles. */
const batchesBeforeWidening = 8;

/** Number of calls in a batch: fewer after an answer that was too large or too slow, more again after a while. */
export class BatchWidth {
  readonly #widest: number;
  #value: number;
  #answered = 0;

  constructor(widest: number) {
    this.#widest = widest;
    this.#value = widest;
  }

  get value(): number {
    return this.#value;
  }

  /** A batch of this many calls was answered. */
  answered(calls: number): void {
    if (calls < this.#value) return;
    this.#answered += 1;
    if (this.#answered < batchesBeforeWidening) return;
    this.#answered = 0;
    this.#value = Math.min(this.#widest, this.#value * 2);
  }

  /**
   * The answer to this many calls could not be read. A batch narrower than allowed proves nothing: a few calls can have
   * large answers. Two stay one batch, so that wider ones are tried again.
   */
  tooMuch(calls: number): void {
    this.#answered = 0;
    if (calls >= this.#value) this.#value = Math.max(2, Math.floor(this.#value / 2));
  }
}
