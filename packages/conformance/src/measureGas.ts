import type { Vm } from "@vipscore/core";
import { done, rowsOf } from "./scenarios/expectations.ts";
import type { Subject } from "./subject.ts";

/** Gas of a transaction over its rows. */
export interface GasPerRow {
  readonly contract: bigint;
  /** Of the reference contract, in batches of 500. Source: tools/bench/src/baselines.json. */
  readonly reference: bigint;
}

const rows = 250;

const referenceGas: Readonly<Record<Vm, bigint>> = { evm: 50_963n, move: 4_346n, wasm: 16_329n };

/** Measures a published batch of accounts that the contract does not know. */
export async function measureGas(subject: Subject): Promise<GasPerRow> {
  const contract = await subject.deploy();
  const { gasUsed } = await done(contract, "creator", { kind: "updateScores", stage: 1n, rows: rowsOf(rows) });
  return { contract: gasUsed / BigInt(rows), reference: referenceGas[subject.vm] };
}
