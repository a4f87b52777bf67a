/** Headroom of a gas limit over what receipts lead to expect. */
const marginPercent = 120n;
const one = 1_000_000n;

/**
 * Corrects an adapter's gas model by what receipts say. The model is an upper bound on its own schedule; a rollup may
 * charge a different one, so the ratio of used to modelled gas scales later limits: up at once, down half-way per receipt.
 */
export class GasCalibration {
  #ratio = one;
  #isCalibrated = false;
  #maxRows = Number.MAX_SAFE_INTEGER;

  /** True once the receipt of a successful batch was seen. */
  get isCalibrated(): boolean {
    return this.#isCalibrated;
  }

  /** The most rows that a batch may have; falls when the node refuses batches as too large. */
  get maxRows(): number {
    return this.#maxRows;
  }

  /** The gas limit for a batch with this modelled gas: before any receipt the model itself. */
  limitFor(modelled: bigint): bigint {
    const margin = this.#isCalibrated ? marginPercent : 100n;
    return (modelled * this.#ratio * margin) / (one * 100n);
  }

  /** Takes in the receipt of a successful batch. */
  succeeded(modelled: bigint, used: bigint): void {
    const seen = (used * one) / modelled;
    this.#ratio = !this.#isCalibrated || seen > this.#ratio ? seen : (this.#ratio + seen) / 2n;
    this.#isCalibrated = true;
  }

  /** A batch ran out of gas: trust the model again, or if it was trusted, expect twice as much. */
  ranOutOfGas(): void {
    this.#ratio = this.#ratio < one ? one : this.#ratio * 2n;
  }

  /** The node refused a batch of so many rows as too large: halve. */
  wasTooLarge(rows: number): void {
    this.#maxRows = Math.max(1, Math.floor(rows / 2));
  }
}
