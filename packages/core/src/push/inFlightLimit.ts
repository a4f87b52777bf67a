/** To begin with: enough that blocks need not wait for signatures. */
const first = 8;
/** A mempool of initia v1.4 queues 64 transactions of an account (`abcipp.max-queued-per-sender`); half are left to others. */
const most = 32;

/**
 * How many transactions may be under way at once: one more with each that is confirmed, half as many after the node refused
 * one that is not at fault itself.
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
