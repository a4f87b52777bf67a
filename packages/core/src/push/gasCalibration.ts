/** Headroom of a gas limit over what receipts lead to expect. */
const marginPercent = 120n;
const one = 1_000_000n;

/**
 * Corrects an adapter's gas model by what receipts say. The model is an upper bound on its own schedule; a rollup may
 * charge a different one, so the ratio of used gas to the modeled gas of the rows scales later limits: up at once, down
 * half-way per receipt. What a transaction costs before any row is left as modeled, because chains differ there most
 * and a small batch would be short of it.
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

  /** The gas limit for a batch whose rows are modeled with `rowsGas`: never above the model unless a chain exceeded it. */
  limitFor(baseGas: bigint, rowsGas: bigint): bigint {
    const withMargin = (this.#ratio * marginPercent) / 100n;
    const factor = this.#ratio > one || withMargin < one ? withMargin : one;
    return baseGas + (rowsGas * (this.#isCalibrated ? factor : this.#ratio)) / one;
  }

  /**
   * Takes in the receipt of a successful batch. All that it used is put down to its rows, to be on the safe side; within
   * the model that never makes more of them than the model does. A receipt that names more gas than the limit allowed is
   * wrong and is passed over.
   */
  succeeded(
    baseGas: bigint,
    rowsGas: bigint,
    { used, limit }: { readonly used: bigint; readonly limit: bigint },
  ): void {
    if (used > limit) return;
    const ratio = (used * one) / (rowsGas > 0n ? rowsGas : 1n);
    const seen = used <= baseGas + rowsGas && ratio > one ? one : ratio;
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

/** One calibration for each entry point: what a chain charges for one says little of the other. */
export class GasCalibrations {
  readonly #published = new GasCalibration();
  readonly #packed = new GasCalibration();

  /** That of the packed entry point, or of the published one. */
  of(packed: boolean): GasCalibration {
    return packed ? this.#packed : this.#published;
  }
}
