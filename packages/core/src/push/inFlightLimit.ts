/** Initial limit: enough that blocks need not wait for signatures. */
const initialLimit = 8;
/** Most transactions in one request. CometBFT takes 10 (`rpc.max_request_batch_size`), geth 1,000. */
const initialMaxTogether = 8;
/** Half of the 64 transactions of an account that a mempool of initia v1.4 queues (`abcipp.max-queued-per-sender`). */
const maxLimit = 32;

/**
 * The maximum number of transactions in flight: rises by one with each confirmation, and halves when one fails, which costs a
 * fee, or the node refuses one that is valid itself.
 */
export class InFlightLimit {
  #limit = initialLimit;
  #together = 1;
  #maxTogether = initialMaxTogether;
  #rowsTaken = 0;

  get limit(): number {
    return this.#limit;
  }

  /** The maximum number of transactions in one request: doubles each time that the node takes as many. */
  get together(): number {
    return this.#together;
  }

  /** The rows of the largest transaction that the node took. */
  get rowsTaken(): number {
    return this.#rowsTaken;
  }

  took(rows: number): void {
    this.#rowsTaken = Math.max(this.#rowsTaken, rows);
  }

  tookAll(count: number): void {
    if (count === this.#together) this.#together = Math.min(this.#maxTogether, 2 * count);
  }

  oneAtATime(): void {
    this.#together = 1;
  }

  /** Learns that a request with as many transactions was not answered: the endpoint may take fewer, or one. */
  tookNone(count: number): void {
    this.#maxTogether = Math.max(1, Math.floor(count / 2));
    this.#together = this.#maxTogether;
  }

  confirmed(): void {
    this.#limit = Math.min(maxLimit, this.#limit + 1);
  }

  failed(): void {
    this.#limit = Math.max(1, Math.floor(this.#limit / 2));
  }
}
