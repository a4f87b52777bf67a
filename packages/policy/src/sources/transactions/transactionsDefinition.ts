import type { HexAddress } from "@vipscore/blocks";
import { readBech32, readMoveAddress } from "@vipscore/blocks/cosmos";
import { object, optional, text, type Field } from "@vipscore/core/field";
import { distinct, height, sourceFields } from "../sourceFields.ts";

/** A source of kind `transactions`: those of the window, or the calls of some contracts. */
export interface TransactionsDefinition {
  readonly kind: "transactions";
  readonly name: string;
  /** Contracts in lower-case hex, sorted; on Move the accounts of modules. Undefined for all transactions. */
  readonly contracts: readonly HexAddress[] | undefined;
  /** The first height, if the source begins before the window. */
  readonly startHeight: number | undefined;
}

const readFields = object({
  ...sourceFields,
  contracts: optional(distinct(readContract)),
  start_height: optional(height),
});

/** Reads the fields of a source of transactions. @throws InputError `POLICY_INVALID`. */
export function readTransactionsDefinition(source: Field): TransactionsDefinition {
  const { name, contracts, start_height: startHeight } = readFields(source);
  return { kind: "transactions", name, contracts, startHeight };
}

/** Any VM's spelling of an address: which one the rollup has is not known here. */
function readContract(field: Field): HexAddress {
  const address = text(field);
  return readMoveAddress(address) ?? readBech32(address) ?? field.expected("the address of a contract");
}
