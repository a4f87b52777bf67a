import { parseAccount, type Account } from "@vipscore/core";
import { quoteText } from "@vipscore/core/errors";
import type { TomlTable } from "../../files/tomlTable.ts";
import { policyInvalid } from "../../policyError.ts";
import { readEventFields, type EventFields } from "./eventFields.ts";

/** A source of kind `wasm_events`: events of one or more CosmWasm contracts. */
export interface WasmEventsDefinition extends EventFields {
  readonly kind: "wasm_events";
  readonly name: string;
  /** Contracts in lower-case hex, sorted. */
  readonly contracts: readonly Account[];
}

/** Reads the fields of a Wasm event. @throws InputError `POLICY_INVALID`. */
export function readWasmEventsDefinition(name: string, table: TomlTable): WasmEventsDefinition {
  const contracts = table.texts("contracts").map((text) => readContract(text, table.place("contracts")));
  return { kind: "wasm_events", name, contracts: [...new Set(contracts)].sort(), ...readEventFields(table) };
}

function readContract(text: string, place: string): Account {
  try {
    return parseAccount(text, { accountBytes: [20, 32] });
  } catch (cause) {
    throw policyInvalid(place, `has ${quoteText(text)}, which is not the address of a contract`, { cause });
  }
}
