import type { RowToWrite } from "@vipscore/core";
import { rowDataGas, type GasModel } from "./gasModel.ts";

/**
 * A row that is new in its stage writes two new slots (score, index to address: 22,100 gas each, EIP-2929), the count,
 * the total and an event of three topics and 64 bytes. Measured on the reference contract: 50,963 per row, including
 * calldata, solc 0.8.37 with 200 optimizer runs. The margin is for contracts built with other settings.
 */
const newRowGas = 52_500n;

/** An overwritten row writes one slot and the total, and emits an event; measured as above: 10,550 per row. */
const changedRowGas = 11_300n;

/**
 * 21,000 for the transaction, fixed calldata, the allow-list, and the first write of total and count, which may be new:
 * 51,600 on the Ethereum schedule. minievm v1.2.18 adds a fixed amount to each receipt, 141,600 in total, and charges
 * less than the above per row.
 */
const baseGas = 145_000n;

/** Prices for a contract with the reference's layout: no row makes another cheaper, so the given order is kept. */
export const referenceGas: GasModel = {
  baseGas,
  priceRows: (rows) => Promise.resolve(rows.map((row) => ({ ...row, gas: gasOf(row), packed: false }))),
};

function gasOf(row: RowToWrite): bigint {
  return (row.current === undefined ? newRowGas : changedRowGas) + rowDataGas(row);
}
