import type {
  ContractFeatures,
  OtherCall,
  PricedRow,
  RowToWrite,
  SignalOptions,
  TransactionLimits,
} from "@vipscore/core";
import type { RestClient } from "@vipscore/core/wire";
import { accountLimits, readBlockGas, type CosmosAccount } from "@vipscore/cosmos";
import { compareAddresses } from "./moveAddress.ts";

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
 * new row, 3,810 per overwrite, 54,000 for the transaction without rows; 75,500 if it is its account's first, in a new stage.
 */
export const publishedGas: GasModel = { baseGas: 80_000n, newRow: 3_970n, overwrite: 3_930n };

/**
 * Our module with `update_scores_script`, which emits one event per batch. Measured on vipnode with 2,000 rows: 3,330 gas
 * per new row, 3,290 per overwrite.
 */
export const packedGas: GasModel = { baseGas: 80_000n, newRow: 3_450n, overwrite: 3_410n };

export function gasModelOf({ packed: hasPacked }: ContractFeatures, packed: boolean): GasModel {
  if (!hasPacked) return referenceGas;
  return packed ? packedGas : publishedGas;
}

/**
 * Prices rows in the order of the table's keys: every order costs the same gas, but a node that stores keys in their order
 * writes and reads neighbors faster. The packed entry point accepts every row.
 */
export function priceRows(model: GasModel, rows: readonly RowToWrite[], packed: boolean): readonly PricedRow[] {
  const sorted = rows.toSorted((a, b) => compareAddresses(a.account, b.account));
  return sorted.map(({ account, score, current }) => {
    return { account, score, current, gas: current === undefined ? model.newRow : model.overwrite, packed };
  });
}

/** An upper bound of the gas of a call that writes a few bytes. Measured on minimove with the reference module: 56,000. */
export const smallCallGas = 120_000n;

/**
 * An upper bound of the gas of a call other than `updateScores`. Measured on minimove with the reference module: 68,422 to
 * finalize. Replacing all members takes 22,000 + 2,000 n + 300 n² on vipnode for n new ones, and 99 for each old one: the bound
 * has room for 9,000 of those.
 */
export function gasOfCall(call: OtherCall): bigint {
  if (call.kind === "finalizeStage") return 150_000n;
  if (call.kind !== "setMembers") return smallCallGas;
  const count = BigInt(call.accounts.length);
  return 1_000_000n + 5_000n * count + 350n * count * count;
}

/** Signature, key, names, fee and the lengths of both lists at their maximum (about 420 bytes). */
const baseBytes = 600;

/** An address and a score. */
const rowBytes = 40;

/** An address and a score in base64. */
const documentRowBytes = 54;

export async function transactionLimits(
  rest: RestClient,
  baseGas: bigint,
  account: CosmosAccount | undefined,
  { signal }: SignalOptions,
): Promise<TransactionLimits> {
  const blockGas = await readBlockGas(rest, signal);
  return accountLimits({ baseGas, baseBytes, rowBytes, documentRowBytes, blockGas }, account);
}
