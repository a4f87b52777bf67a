import type { PricedRow, TransactionLimits } from "../scoreContract.ts";
import type { GasCalibrations } from "./gasCalibration.ts";
import type { Batch } from "./pushPlan.ts";

/** Returns the largest batch of one entry point from `start` that fits the limits of a transaction; at least one row. */
export function takeBatch(
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
    const { rows: taken, gas } = takeBatch(rows, start, limits, calibrations);
    batches.push({ rows: taken, gas });
    start += taken.length;
  }
  return batches;
}
