import type { Account } from "@vipscore/core";
import { object, optional, text, type Field } from "@vipscore/core/field";
import { contract, distinct, sourceFields } from "../sourceFields.ts";
import { eventFields, eventReaders, type EventFields } from "./eventFields.ts";

/** A source of kind `wasm_events`: events of one or more CosmWasm contracts. */
export interface WasmEventsDefinition extends EventFields {
  readonly kind: "wasm_events";
  readonly name: string;
  /** Contracts in lower-case hex, sorted. */
  readonly contracts: readonly Account[];
  /** The event as the contract names it; undefined for the one that every call has. */
  readonly event: string | undefined;
}

const readFields = object({
  ...sourceFields,
  ...eventReaders,
  contracts: distinct(contract([20, 32])),
  event: optional(readEvent),
});

/** Reads the fields of a Wasm event. @throws InputError `POLICY_INVALID`. */
export function readWasmEventsDefinition(source: Field): WasmEventsDefinition {
  const { name, contracts, event, ...selected } = readFields(source);
  return { kind: "wasm_events", name, contracts, event, ...eventFields(selected) };
}

function readEvent(field: Field): string {
  const event = text(field);
  // The chain's name for it would select nothing.
  const isOwn = event.trim() === event && event !== "wasm" && !event.startsWith("wasm-");
  return isOwn ? event : field.expected('the contract\'s name for it, without "wasm-"');
}
