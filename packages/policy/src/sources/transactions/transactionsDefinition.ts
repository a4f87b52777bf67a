import type { HexAddress } from "@vipscore/blocks";
import { readBech32, readMoveAddress } from "@vipscore/blocks/cosmos";
import { quoteText } from "@vipscore/core/errors";
import type { TomlTable } from "../../files/tomlTable.ts";
import { policyInvalid } from "../../policyError.ts";
import { readStartHeight } from "../startHeight.ts";

/** A source of kind `transactions`: those of the window, or the calls of some contracts. */
export interface TransactionsDefinition {
  readonly kind: "transactions";
  readonly name: string;
  /** Contracts in lower-case hex, sorted; on Move the accounts of modules. Undefined for all transactions. */
  readonly contracts: readonly HexAddress[] | undefined;
  /** The first height, if the source begins before the window. */
  readonly startHeight: number | undefined;
}

/** Reads the fields of a source of transactions. @throws InputError `POLICY_INVALID`. */
export function readTransactionsDefinition(name: string, table: TomlTable): TransactionsDefinition {
  const texts = table.names.includes("contracts") ? table.texts("contracts") : undefined;
  const contracts = texts?.map((text) => readContract(text, table.place("contracts")));
  const startHeight = readStartHeight(table);
  return { kind: "transactions", name, contracts: contracts && [...new Set(contracts)].sort(), startHeight };
}

/** Any VM's spelling of an address: which one the rollup has is not known here. */
function readContract(text: string, place: string): HexAddress {
  const contract = readMoveAddress(text) ?? readBech32(text);
  if (contract !== undefined) return contract;
  throw policyInvalid(place, `has ${quoteText(text)}, which is not the address of a contract`);
}
