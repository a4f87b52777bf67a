/** Initial limit: enough that blocks need not wait for signatures. */
const first = 8;
/** A mempool of initia v1.4 queues 64 transactions of an account (`abcipp.max-queued-per-sender`); half are left to other programs. */
const most = 32;

/**
 * The maximum number of transactions in flight: rises by one with each confirmation, and halves when the node refuses a
 * transaction that is valid itself.
 */
export class InFlightLimit {
  #limit = first;

  get limit(): number {
    return this.#limit;
  }

  confirmed(): void {
    this.#limit = Math.min(most, this.#limit + 1);
  }

  refused(): void {
    this.#limit = Math.max(1, Math.floor(this.#limit / 2));
  }
}
