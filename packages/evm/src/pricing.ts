import type { EntryPointOptions, PricedRow, Score, ScoreRow, Stage } from "@vipscore/core";

/** A row to price, with what the chain holds for its account. */
export interface PlannedRow extends ScoreRow {
  /** The account's score on the chain, undefined where it has no row in the stage. */
  readonly current: Score | undefined;
}

/** What writing costs on one kind of scoring contract: upper bounds on the Ethereum schedule (Cancun to Osaka). */
export interface GasModel {
  /** A batch without its rows, whichever entry point it goes through. */
  readonly baseGas: bigint;
  readonly priceRows: (
    rows: readonly PlannedRow[],
    options: EntryPointOptions & { readonly stage: Stage; readonly height: bigint; readonly signal?: AbortSignal },
  ) => Promise<readonly PricedRow[]>;
}

/**
 * Gas of the calldata of one row: 16 for a byte other than zero, 4 for a zero byte (EIP-2028). Twelve bytes of an
 * address and the leading bytes of an amount are zero.
 */
export function rowDataGas(row: ScoreRow): bigint {
  return 12n * 4n + 20n * 16n + 32n * 4n + amountBytes(row) * 12n;
}

/** Bytes of a score without leading zeros. */
export function amountBytes({ score }: ScoreRow): bigint {
  return BigInt(Math.ceil(score.toString(16).length / 2));
}
