/** Full batches in a row that were answered after which twice as many calls are tried at once. */
const calmBatches = 8;

/** How many calls are asked in one batch: fewer after an answer that was too large or too slow, more again after a while. */
export class BatchWidth {
  readonly #widest: number;
  #value: number;
  #calm = 0;

  constructor(widest: number) {
    this.#widest = widest;
    this.#value = widest;
  }

  get value(): number {
    return this.#value;
  }

  /** A batch of so many calls was answered. */
  answered(calls: number): void {
    if (calls < this.#value) return;
    this.#calm += 1;
    if (this.#calm < calmBatches) return;
    this.#calm = 0;
    this.#value = Math.min(this.#widest, this.#value * 2);
  }

  /**
   * The answer to so many calls could not be read. A batch that was narrower than allowed says nothing of the others: a few
   * calls can have large answers. Two stay one batch, so that wider ones are tried again.
   */
  tooMuch(calls: number): void {
    this.#calm = 0;
    if (calls >= this.#value) this.#value = Math.max(2, Math.floor(this.#value / 2));
  }
}
