/** Initial limit: enough that blocks need not wait for signatures. */
const initialLimit = 8;
/** Half of the 64 transactions of an account that a mempool of initia v1.4 queues (`abcipp.max-queued-per-sender`). */
const maxLimit = 32;

/**
 * The maximum number of transactions in flight: rises by one with each confirmation, and halves when the node refuses a
 * transaction that is valid itself.
 */
export class InFlightLimit {
  #limit = initialLimit;

  get limit(): number {
    return this.#limit;
  }

  confirmed(): void {
    this.#limit = Math.min(maxLimit, this.#limit + 1);
  }

  refused(): void {
    this.#limit = Math.max(1, Math.floor(this.#limit / 2));
  }
}
