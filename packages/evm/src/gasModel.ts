import type { OtherCall, PricedRow, PriceOptions, RowToWrite, ScoreRow } from "@vipscore/core";

/** Gas of writing on one kind of scoring contract: upper bounds on the Ethereum schedule (Cancun to Osaka). */
export interface GasModel {
  /** A batch without its rows, with any entry point. */
  readonly baseGas: bigint;
  readonly priceRows: (rows: readonly RowToWrite[], options: PriceOptions) => Promise<readonly PricedRow[]>;
}

/**
 * Gas of the calldata of one row: 16 per nonzero byte, 4 per zero byte (EIP-2028). Twelve bytes of an address and the
 * leading bytes of an amount are zero.
 */
export function rowDataGas(row: ScoreRow): bigint {
  return 12n * 4n + 20n * 16n + 32n * 4n + amountBytes(row) * 12n;
}

/** Bytes of a score without leading zeros. */
export function amountBytes({ score }: ScoreRow): bigint {
  return BigInt(Math.ceil(score.toString(16).length / 2));
}

/**
 * Upper bounds of the gas of calls other than `updateScores`. Measured: at most 75,119 on the Ethereum schedule (a new
 * member of our contract), and 137,932 to finalize on minievm v1.2.18, whose receipts carry a fixed part.
 */
export const callGas: Readonly<Record<OtherCall["kind"], bigint>> = {
  finalizeStage: 250_000n,
  addMember: 250_000n,
  removeMember: 250_000n,
  setFinalizer: 250_000n,
  setManagement: 250_000n,
  offerOwnership: 250_000n,
  acceptOwnership: 250_000n,
};
