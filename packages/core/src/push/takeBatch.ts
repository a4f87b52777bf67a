import type { PricedRow, TransactionLimits } from "../scoreContract.ts";
import type { GasCalibration } from "./gasCalibration.ts";
import type { Batch } from "./pushPlan.ts";

/** The largest batch from `start` on that fits the limits of one transaction; at least one row. */
export function takeBatch(
  rows: readonly PricedRow[],
  start: number,
  limits: TransactionLimits,
  calibration: GasCalibration,
): Batch & { readonly rowsGas: bigint } {
  const mostByBytes = Math.floor((limits.maxBytes - limits.baseBytes) / limits.rowBytes);
  const most = Math.max(1, Math.min(mostByBytes, calibration.maxRows));
  let rowsGas = 0n;
  let end = start;
  while (end < rows.length && end - start < most) {
    const row = rows[end];
    if (row === undefined) break;
    const next = rowsGas + row.gas;
    if (end > start && calibration.limitFor(limits.baseGas, next) > limits.maxGas) break;
    rowsGas = next;
    end += 1;
  }
  const limit = calibration.limitFor(limits.baseGas, rowsGas);
  return { rows: rows.slice(start, end), rowsGas, gas: limit > limits.maxGas ? limits.maxGas : limit };
}

/** All rows in batches, as they would be sent with this calibration. */
export function takeBatches(
  rows: readonly PricedRow[],
  limits: TransactionLimits,
  calibration: GasCalibration,
): readonly Batch[] {
  const batches: Batch[] = [];
  for (let start = 0; start < rows.length;) {
    const { rows: taken, gas } = takeBatch(rows, start, limits, calibration);
    batches.push({ rows: taken, gas });
    start += taken.length;
  }
  return batches;
}
