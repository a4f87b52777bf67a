import type { PricedRow, RowToWrite, TransactionLimits } from "../scoreContract.ts";

/**
 * Rows of a batch that are simulated before it is sent. minimove limits a simulation to 3,000,000 gas and minievm a call to
 * 10,000,000, and Cosmos nodes answer with all events: a refusal of a later row costs one failed transaction instead.
 */
export const simulatedRows = 100;

/** The rows of one transaction. */
export interface Batch {
  readonly rows: readonly PricedRow[];
  /** The gas limit of its transaction. */
  readonly gas: bigint;
}

/** What a row does to its stage: chains differ in what these cost beside each other, and some refund gas for zeros. */
const kinds = ["new", "changed", "zeroed"] as const;
type RowKind = (typeof kinds)[number];

/** The modeled gas of a batch's rows, by kind. */
export type RowsGas = Readonly<Record<RowKind, bigint>>;

function kindOf({ score, current = 0n }: RowToWrite): RowKind {
  if (score === 0n) return "zeroed";
  return current === 0n ? "new" : "changed";
}

export interface NextBatch extends Batch {
  readonly rowsGas: RowsGas;
  readonly packed: boolean;
}

/** Returns the largest batch of one entry point from `start` that fits the limits of a transaction; at least one row. */
export function nextBatch(
  rows: readonly PricedRow[],
  start: number,
  limits: TransactionLimits,
  calibrations: GasCalibrations,
): NextBatch {
  const packed = rows[start]?.packed === true;
  const calibration = calibrations.of(packed);
  const maxByBytes = Math.floor((limits.maxBytes - limits.baseBytes) / limits.rowBytes);
  const maxRows = Math.max(1, Math.min(maxByBytes, calibration.maxRows));
  const maxGas = limits.maxGas * one;
  const rowsGas = { new: 0n, changed: 0n, zeroed: 0n };
  let limit = limits.baseGas * one;
  let end = start;
  while (end < rows.length && end - start < maxRows) {
    const row = rows[end];
    if (row === undefined || row.packed !== packed) break;
    const kind = kindOf(row);
    const next = limit + row.gas * calibration.factorOf(kind);
    if (end > start && next > maxGas) break;
    limit = next;
    rowsGas[kind] += row.gas;
    end += 1;
  }
  return { rows: rows.slice(start, end), packed, rowsGas, gas: (limit > maxGas ? maxGas : limit) / one };
}

/** Returns the batches from `start` that are sent together: at least one. */
export function nextBatches(
  rows: readonly PricedRow[],
  start: number,
  options: {
    readonly most: number;
    readonly limits: TransactionLimits;
    readonly calibrations: GasCalibrations;
  },
): readonly [NextBatch, ...NextBatch[]] {
  const { most, limits, calibrations } = options;
  const first = nextBatch(rows, start, limits, calibrations);
  const batches: [NextBatch, ...NextBatch[]] = [first];
  let next = start + first.rows.length;
  while (batches.length < most && next < rows.length) {
    const batch = nextBatch(rows, next, limits, calibrations);
    batches.push(batch);
    next += batch.rows.length;
  }
  return batches;
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

/**
 * A gas limit as a percentage of the gas expected from receipts. A receipt shows the gas after refunds, which an EVM pays at the
 * end, for zeros: up to a fifth of the gas (EIP-3529), which the limit must cover.
 */
const marginPercent: RowsGas = { new: 120n, changed: 120n, zeroed: 150n };
const one = 1_000_000n;

/**
 * Corrects an adapter's gas model from receipts. The model is an upper bound for its own gas schedule; a rollup may charge
 * differently, so for each kind of row the ratio of used gas to modeled gas scales later limits: up immediately, down half-way
 * per receipt. The cost of a transaction without rows stays as modeled, because chains differ there most and a small batch would
 * run out of gas.
 */
class GasCalibration {
  readonly #ratios = { new: one, changed: one, zeroed: one };
  /** The least ratios: receipts do not show all gas that a limit must allow, such as what Ethereum refunds. */
  readonly #floors = { new: 0n, changed: 0n, zeroed: 0n };
  readonly #calibrated = new Set<RowKind>();
  #maxRows = Number.MAX_SAFE_INTEGER;

  /** True after the first receipt of a successful batch with rows of this row's kind. */
  isCalibrated(row: RowToWrite): boolean {
    return this.#calibrated.has(kindOf(row));
  }

  /** Maximum number of rows of a batch; falls when the node refuses batches as too large. */
  get maxRows(): number {
    return this.#maxRows;
  }

  /** Returns the gas limit of a row in millionths of its modeled gas: above `one` only if a chain exceeded the model. */
  factorOf(kind: RowKind): bigint {
    const ratio = this.#ratios[kind];
    if (!this.#calibrated.has(kind)) return ratio;
    const withMargin = (ratio * marginPercent[kind]) / 100n;
    return ratio > one || withMargin < one ? withMargin : one;
  }

  /**
   * Learns from the receipt of a successful batch. To be safe, attributes all used gas to the rows, and within the model to
   * those of each kind alone: a mixed batch does not show which of its kinds is cheap. Ignores a receipt with more gas than the
   * limit allowed, which must be wrong.
   */
  succeeded(
    baseGas: bigint,
    rowsGas: RowsGas,
    { used, limit }: { readonly used: bigint; readonly limit: bigint },
  ): void {
    if (used > limit) return;
    const all = rowsGas.new + rowsGas.changed + rowsGas.zeroed;
    const expected = kinds.reduce((gas, kind) => gas + rowsGas[kind] * this.#ratios[kind], baseGas * one);
    for (const kind of kinds) {
      const gas = rowsGas[kind];
      if (gas === 0n) continue;
      const ratio = this.#ratios[kind];
      const most = used * one <= expected && ratio < one ? ratio : one;
      const seen = used > baseGas + all ? (used * one) / all : least((used * one) / gas, most);
      const next = !this.#calibrated.has(kind) || seen > ratio ? seen : (ratio + seen) / 2n;
      this.#ratios[kind] = next > this.#floors[kind] ? next : this.#floors[kind];
      this.#calibrated.add(kind);
    }
  }

  /** Learns that a batch succeeded, without its receipt: the model is enough. */
  succeededByModel(rowsGas: RowsGas): void {
    for (const kind of kinds) if (rowsGas[kind] > 0n) this.#calibrated.add(kind);
  }

  /**
   * Learns that a batch ran out of gas: returns to the model for good, or doubles it if it was already in use. Once for all batches
   * that were in flight: the next one has a higher limit already.
   */
  ranOutOfGas(baseGas: bigint, rowsGas: RowsGas, limit: bigint): void {
    const next = kinds.reduce((gas, kind) => gas + rowsGas[kind] * this.factorOf(kind), baseGas * one);
    if (next > (limit + 1n) * one) return;
    for (const kind of kinds) {
      if (rowsGas[kind] === 0n) continue;
      if (this.#ratios[kind] < one) this.#floors[kind] = one;
      this.#ratios[kind] = this.#ratios[kind] < one ? one : this.#ratios[kind] * 2n;
    }
  }

  /** Learns that the node refused a batch of this many rows as too large: halves the maximum. */
  wasTooLarge(rows: number): void {
    this.#maxRows = Math.max(1, Math.floor(rows / 2));
  }
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** One calibration per entry point: the gas of one says little about the other. */
export class GasCalibrations {
  readonly #published = new GasCalibration();
  readonly #packed = new GasCalibration();

  of(packed: boolean): GasCalibration {
    return packed ? this.#packed : this.#published;
  }
}
