import { size, type Hex } from "viem";
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
 * Upper bound of the gas of a call that writes no scores and has no list. Measured: at most 80,000 on the Ethereum schedule (a
 * new member of our contract), and 137,932 to finalize on minievm v1.2.18, whose receipts carry a fixed part.
 */
export const otherCallGas = 250_000n;

/** Upper bound of the gas of a member in a new list; measured: 48,000. */
const listedMemberGas = 55_000n;

/** Upper bound of the gas of a call other than `updateScores`. */
export function callGas(call: OtherCall): bigint {
  return otherCallGas + (call.kind === "setMembers" ? listedMemberGas * BigInt(call.accounts.length) : 0n);
}

/** The constructor writes the owner, the first member, and the first stage and its number: at most seven new slots, and two events. */
const constructorGas = 250_000n;

/**
 * Upper bound of the gas to create a contract, on the Ethereum schedule: 53,000 for the transaction, 16 per byte
 * (EIP-2028, counting every byte as nonzero), 2 per word of creation code (EIP-3860), 200 per byte of deployed code,
 * which is shorter than the creation code.
 */
export function deployGas(creationCode: Hex): bigint {
  const bytes = BigInt(size(creationCode));
  return 53_000n + bytes * (16n + 200n) + ((bytes + 31n) / 32n) * 2n + constructorGas;
}
