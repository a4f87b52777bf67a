import { expect, test } from "vitest";
import { accountOf } from "../../test/fixtures.ts";
import type { PricedRow } from "../scoreContract.ts";
import { GasCalibrations, nextBatch } from "./nextBatch.ts";

const limits = { baseGas: 1_000n, maxGas: 1_000_000n, baseBytes: 0, rowBytes: 1, maxBytes: 1_000 };
const row = { account: accountOf(1), gas: 100n, packed: false };
const rows = {
  new: { ...row, score: 5n, current: undefined },
  raised: { ...row, score: 5n, current: 0n },
  changed: { ...row, score: 5n, current: 4n },
  zeroed: { ...row, score: 0n, current: 4n },
};

/** The gas limits of a hundred rows of each kind, after a receipt of these rows with this gas. */
function limitsAfter(used: bigint, ...sent: readonly PricedRow[]) {
  const calibrations = new GasCalibrations();
  const batch = nextBatch(sent, 0, limits, calibrations);
  calibrations.of(false).succeeded(limits.baseGas, batch.rowsGas, { used, limit: batch.gas });
  const limitOf = (kind: PricedRow) => Number(nextBatch(Array<PricedRow>(100).fill(kind), 0, limits, calibrations).gas);
  return Object.fromEntries(Object.entries(rows).map(([name, kind]) => [name, limitOf(kind)]));
}

const hundred = (kind: PricedRow) => Array<PricedRow>(100).fill(kind);
const modeled = { new: 11_000, raised: 11_000, changed: 11_000, zeroed: 11_000 };

test("a receipt of one kind of row lowers the limits of that kind alone", () => {
  expect(limitsAfter(5_000n, ...hundred(rows.changed))).toEqual({ ...modeled, changed: 7_000 });
  expect(limitsAfter(5_000n, ...hundred(rows.new))).toEqual({ ...modeled, new: 7_000, raised: 7_000 });
});

test("the limit of rows set to zero leaves room for a refund of a fifth, which receipts do not show", () => {
  const { zeroed } = limitsAfter(5_000n, ...hundred(rows.zeroed));
  expect(zeroed).toBeGreaterThanOrEqual(1_000 + 1.2 * (5_000 / 0.8));
});

test("a receipt of several kinds lowers none of them below what it may have used alone", () => {
  expect(limitsAfter(15_000n, ...hundred(rows.zeroed), ...hundred(rows.new))).toEqual(modeled);
});
