import type { PricedRow, TransactionLimits } from "../scoreContract.ts";

/** The rows of one transaction. */
export interface Batch {
  readonly rows: readonly PricedRow[];
  /** The gas limit of its transaction. */
  readonly gas: bigint;
}

/** Returns the largest batch of one entry point from `start` that fits the limits of a transaction; at least one row. */
export function nextBatch(
  rows: readonly PricedRow[],
  start: number,
  limits: TransactionLimits,
  calibrations: GasCalibrations,
): Batch & { readonly rowsGas: bigint; readonly packed: boolean } {
  const packed = rows[start]?.packed === true;
  const calibration = calibrations.of(packed);
  const maxByBytes = Math.floor((limits.maxBytes - limits.baseBytes) / limits.rowBytes);
  const maxRows = Math.max(1, Math.min(maxByBytes, calibration.maxRows));
  let rowsGas = 0n;
  let end = start;
  while (end < rows.length && end - start < maxRows) {
    const row = rows[end];
    if (row === undefined || row.packed !== packed) break;
    const next = rowsGas + row.gas;
    if (end > start && calibration.limitFor(limits.baseGas, next) > limits.maxGas) break;
    rowsGas = next;
    end += 1;
  }
  const limit = calibration.limitFor(limits.baseGas, rowsGas);
  return { rows: rows.slice(start, end), packed, rowsGas, gas: limit > limits.maxGas ? limits.maxGas : limit };
}

/** Returns all rows in batches, as they would be sent with this calibration. */
export function takeBatches(
  rows: readonly PricedRow[],
  limits: TransactionLimits,
  calibrations: GasCalibrations,
): readonly Batch[] {
  const batches: Batch[] = [];
  for (let start = 0; start < rows.length;) {
    const { rows: taken, gas } = nextBatch(rows, start, limits, calibrations);
    batches.push({ rows: taken, gas });
    start += taken.length;
  }
  return batches;
}

/** A gas limit as a percentage of the gas expected from receipts. */
const marginPercent = 120n;
const one = 1_000_000n;

/**
 * Corrects an adapter's gas model from receipts. The model is an upper bound for its own gas schedule; a rollup may charge
 * differently, so the ratio of used gas to the modeled gas of the rows scales later limits: up immediately, down half-way per
 * receipt. The cost of a transaction without rows stays as modeled, because chains differ there most and a small batch would
 * run out of gas.
 */
class GasCalibration {
  #ratio = one;
  #isCalibrated = false;
  #maxRows = Number.MAX_SAFE_INTEGER;

  /** True after the first receipt of a successful batch. */
  get isCalibrated(): boolean {
    return this.#isCalibrated;
  }

  /** Maximum number of rows of a batch; falls when the node refuses batches as too large. */
  get maxRows(): number {
    return this.#maxRows;
  }

  /** Returns the gas limit of a batch whose rows are modeled with `rowsGas`: never above the model unless a chain exceeded it. */
  limitFor(baseGas: bigint, rowsGas: bigint): bigint {
    const withMargin = (this.#ratio * marginPercent) / 100n;
    const factor = this.#ratio > one || withMargin < one ? withMargin : one;
    return baseGas + (rowsGas * (this.#isCalibrated ? factor : this.#ratio)) / one;
  }

  /**
   * Learns from the receipt of a successful batch. To be safe, attributes all used gas to the rows; within the model this never
   * exceeds the model. Ignores a receipt with more gas than the limit allowed, which must be wrong.
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

  /** Learns that a batch ran out of gas: returns to the model, or doubles it if it was already in use. */
  ranOutOfGas(): void {
    this.#ratio = this.#ratio < one ? one : this.#ratio * 2n;
  }

  /** Learns that the node refused a batch of this many rows as too large: halves the maximum. */
  wasTooLarge(rows: number): void {
    this.#maxRows = Math.max(1, Math.floor(rows / 2));
  }
}

/** One calibration per entry point: the gas of one says little about the other. */
export class GasCalibrations {
  readonly #published = new GasCalibration();
  readonly #packed = new GasCalibration();

  /** Returns the calibration of the packed or of the published entry point. */
  of(packed: boolean): GasCalibration {
    return packed ? this.#packed : this.#published;
  }
}
