import type { Account } from "@vipscore/core";
import { quoteText } from "@vipscore/core/errors";
import type { TomlTable } from "../../files/tomlTable.ts";
import { policyInvalid } from "../../policyError.ts";
import { parseContract } from "../parseContract.ts";
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
  const contracts = table.texts("contracts").map((text) => parseContract(text, table.place("contracts"), [20, 32]));
  const distinct = [...new Set(contracts)].sort();
  return { kind: "wasm_events", name, contracts: distinct, event: readEvent(table), ...readEventFields(table) };
}

function readEvent(table: TomlTable): string | undefined {
  const event = table.optionalText("event");
  // The chain's name for it would select nothing.
  if (event === undefined || (event.trim() === event && event !== "wasm" && !event.startsWith("wasm-"))) return event;
  throw policyInvalid(table.place("event"), `is ${quoteText(event)}; give the contract's name for it, without "wasm-"`);
}
