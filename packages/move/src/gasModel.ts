import type { OtherCall, PricedRow, RowToWrite } from "@vipscore/core";

/**
 * Upper bounds of the gas of writing on one kind of scoring module: the VM's gas for the row and its event, plus 10 for
 * each of the 40 bytes of a row in the transaction.
 */
export interface GasModel {
  /** An `update_score_script` transaction without its rows. */
  readonly baseGas: bigint;
  /** A row for an account without a score in the stage. */
  readonly newRow: bigint;
  /** A row for an account with a score in the stage. */
  readonly overwrite: bigint;
}

/**
 * The reference module. Measured on minimove with 500 to 2,000 rows: 4,242 gas per new row, 3,905 per overwrite, 52,000
 * for the transaction without rows.
 */
export const referenceGas: GasModel = { baseGas: 75_000n, newRow: 4_450n, overwrite: 4_100n };

/**
 * Our module with `update_score_script`, which emits an event per score. Measured on vipnode with 2,000 rows: 3,850 gas per
 * new row, 3,810 per overwrite, 54,000 for the transaction without rows.
 */
export const publishedGas: GasModel = { baseGas: 75_000n, newRow: 3_970n, overwrite: 3_930n };

/**
 * Our module with `update_scores_script`, which emits one event per batch. Measured on vipnode with 2,000 rows: 3,330 gas
 * per new row, 3,290 per overwrite.
 */
export const packedGas: GasModel = { baseGas: 75_000n, newRow: 3_450n, overwrite: 3_410n };

/** Prices rows in the given order: on Move every order costs the same, and the packed entry point accepts every row. */
export function priceRows(model: GasModel, rows: readonly RowToWrite[], packed: boolean): readonly PricedRow[] {
  return rows.map((row) => ({ ...row, gas: row.current === undefined ? model.newRow : model.overwrite, packed }));
}

/**
 * Upper bounds of the gas of calls other than `updateScores`. Measured on minimove with the reference module: 68,422 to
 * finalize, 56,000 for a member.
 */
export const callGas: Readonly<Record<OtherCall["kind"], bigint>> = {
  finalizeStage: 150_000n,
  addMember: 120_000n,
  removeMember: 120_000n,
  setFinalizer: 120_000n,
  setManagement: 120_000n,
  offerOwnership: 120_000n,
  acceptOwnership: 120_000n,
};
