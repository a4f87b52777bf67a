import { allValues, firstValue, readBech32, type Attributes, type VmEvent } from "@vipscore/blocks/cosmos";
import { formatBech32, type Account } from "@vipscore/core";
import { quoteText } from "@vipscore/core/errors";
import { object, optional, text, withSchema, type Field } from "@vipscore/core/field";
import type { ChainSource } from "../../chain/chainSource.ts";
import type { RollupNode } from "../../chain/rollupNode.ts";
import { kindOfOtherVm } from "../../policyError.ts";
import { ValueProblem } from "../convertValue.ts";
import { MisfitError } from "../eventRows.ts";
import { contractAddress, distinct, sourceFields } from "../sourceFields.ts";
import { cosmosEventsSource, fieldValue } from "./cosmosEventsSource.ts";
import { eventFields, eventReaders, mayLack, type EventFields } from "./eventFields.ts";

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
  contracts: distinct(contractAddress([20, 32])),
  event: optional(withSchema({ type: "string" }, readEventType)),
});

export function readWasmEventsDefinition(source: Field): WasmEventsDefinition {
  const { name, contracts, event, ...selected } = readFields(source);
  return { kind: "wasm_events", name, contracts, event, ...eventFields(source, selected) };
}
readWasmEventsDefinition.schema = readFields.schema;

function readEventType(field: Field): string {
  const event = text(field);
  // The chain's name for it would select nothing.
  const isOwn = event.trim() === event && event !== "wasm" && !event.startsWith("wasm-");
  return isOwn ? event : field.failExpected('the contract\'s name for it, without "wasm-"');
}

/** The attribute with the contract's address; the chain adds it, and refuses a contract's own names that begin with `_`. */
const contractKey = "_contract_address";

/** Reads the events of contracts whose attributes are what the policy wants. */
export function wasmEventsSource(definition: WasmEventsDefinition, node: RollupNode): ChainSource {
  if (node.vm !== "wasm") throw kindOfOtherVm(definition, node.vm);
  const { contracts, event, fields, where } = definition;
  // The chain puts `wasm-` before a contract's own names, so that none can be `wasm`.
  const wantedType = event === undefined ? "wasm" : `wasm-${event}`;
  const hexOf = new Map<string, string>(contracts.map((contract) => [formatBech32(contract), contract]));
  const reader = {
    identity: { contracts, event, where },
    isWanted: ({ type, attributes }: VmEvent) =>
      type === wantedType &&
      hexOf.has(firstValue(attributes, contractKey) ?? "") &&
      where.every(([key, value]) => allValues(attributes, key).includes(value)),
    readValues: ({ attributes }: VmEvent, placeOf: () => string) => {
      // Another value beside the wanted one: what the event says is not clear.
      for (const [key] of where) onlyValue(attributes, key, placeOf);
      const contract = hexOf.get(firstValue(attributes, contractKey) ?? "") ?? "";
      const values = fields.map((column) => {
        const isAbsent = column.nullable === true && allValues(attributes, column.name).length === 0;
        const found = isAbsent ? undefined : onlyValue(attributes, column.name, placeOf);
        // Two actions in one event may have the same amount.
        if (column.type === "integer" && attributes.filter(([key]) => key === column.name).length > 1)
          throw unclear(`${placeOf()} has the attribute ${column.name} more than once`);
        const value = fieldValue(found, column, readBech32);
        if (value instanceof ValueProblem) throw unclear(`${placeOf()}: ${value.message}`);
        return value;
      });
      return [contract, ...values];
    },
  };
  return cosmosEventsSource(definition, reader, node.comet);
}

function onlyValue(attributes: Attributes, key: string, placeOf: () => string): string {
  const [value, another] = allValues(attributes, key);
  if (value === undefined) {
    const known = [...new Set(attributes.map(([name]) => name))].join(", ");
    throw new MisfitError(`${placeOf()} has no attribute ${key}`, {
      metaMessages: [`Its attributes are: ${known}. ${mayLack}`],
    });
  }
  if (another !== undefined)
    throw unclear(
      `${placeOf()} has the attribute ${key} with two values, ${quoteText(value)} and ${quoteText(another)}`,
    );
  return value;
}

function unclear(problem: string): Error {
  return new MisfitError(problem, {
    metaMessages: ['Select the events that have the columns with `where`, such as where = { action = "trade" }.'],
  });
}
