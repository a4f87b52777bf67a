import type { Account } from "@vipscore/core";
import { quoteText } from "@vipscore/core/errors";
import type { TomlTable } from "../../files/tomlTable.ts";
import { policyInvalid } from "../../policyError.ts";
import { parseContracts } from "../parseContract.ts";
import { readEventFields, type EventFields } from "./eventFields.ts";

/** A source of kind `wasm_events`: events of one or more CosmWasm contracts. */
export interface WasmEventsDefinition extends EventFields {
  readonly kind: "wasm_events";
  readonly name: string;
  /** Contracts in lower-case hex, sorted. */
  readonly contracts: readonly Account[];
  /** The event as the contract names it; undefined for the one that every call has. */
  readonly event: string | undefined;
}

/** Reads the fields of a Wasm event. @throws InputError `POLICY_INVALID`. */
export function readWasmEventsDefinition(name: string, table: TomlTable): WasmEventsDefinition {
  const contracts = parseContracts(table, "contracts", [20, 32]);
  return { kind: "wasm_events", name, contracts, event: readEvent(table), ...readEventFields(table) };
}

function readEvent(table: TomlTable): string | undefined {
  const event = table.optionalText("event");
  // The chain's name for it would select nothing.
  if (event === undefined || (event.trim() === event && event !== "wasm" && !event.startsWith("wasm-"))) return event;
  throw policyInvalid(table.place("event"), `is ${quoteText(event)}; give the contract's name for it, without "wasm-"`);
}
