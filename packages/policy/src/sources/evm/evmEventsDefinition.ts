import { parseAbiItem, type AbiEvent, type AbiParameter } from "viem";
import { quoteText } from "@vipscore/core/errors";
import type { TomlTable } from "../../files/tomlTable.ts";
import { policyInvalid } from "../../policyError.ts";
import { eventColumns } from "../eventColumns.ts";
import { parseContracts } from "../parseContract.ts";
import type { ColumnType, SourceColumn } from "../policySource.ts";
import { readSqlName } from "../sqlName.ts";
import { readStartHeight } from "../startHeight.ts";

/** A source of kind `evm_events`: one event of one or more contracts. */
export interface EvmEventsDefinition {
  readonly kind: "evm_events";
  readonly name: string;
  /** Contracts in lower-case hex, sorted. */
  readonly contracts: readonly `0x${string}`[];
  readonly event: AbiEvent;
  /** The first height, if the source begins before the window. */
  readonly startHeight: number | undefined;
  /** Those of every event, then the event's parameters in their order. */
  readonly columns: readonly SourceColumn[];
}

/** Reads the fields of an EVM event. @throws InputError `POLICY_INVALID`. */
export function readEvmEventsDefinition(name: string, table: TomlTable): EvmEventsDefinition {
  const contracts = parseContracts(table, "contracts", [20]);
  const event = readEvent(table.text("event"), table.place("event"));
  const parameters = event.inputs.map((parameter, index) => columnOf(parameter, index, table.place("event")));
  const columns = [...eventColumns, ...parameters];
  for (const [index, column] of columns.entries()) {
    if (columns.findIndex((other) => other.name === column.name) === index) continue;
    throw policyInvalid(
      table.place("event"),
      `names ${column.name} twice; rename the parameter, which changes nothing`,
    );
  }
  const startHeight = readStartHeight(table);
  return { kind: "evm_events", name, contracts, event, startHeight, columns };
}

function readEvent(text: string, place: string): AbiEvent {
  let item: unknown;
  try {
    item = parseAbiItem(text);
  } catch (cause) {
    const details = cause instanceof Error ? cause.message : undefined;
    throw policyInvalid(
      place,
      `is ${quoteText(text)}; write it as in Solidity: event Traded(address indexed trader, uint256 volume)`,
      {
        ...(details === undefined ? {} : { details }),
        cause,
      },
    );
  }
  if (isEvent(item)) return item;
  throw policyInvalid(place, `is ${quoteText(text)}, which is not an event`);
}

function isEvent(item: unknown): item is AbiEvent {
  return typeof item === "object" && item !== null && "type" in item && item.type === "event";
}

function columnOf({ name = "", type }: AbiParameter, index: number, place: string): SourceColumn {
  if (name === "") throw policyInvalid(place, `has no name for parameter ${index + 1}`);
  return { name: readSqlName(name, place), type: columnTypeOf(type) };
}

/** Numbers up to 256 bits are integers; a value beyond 128 bits is an error when it occurs. */
function columnTypeOf(type: string): ColumnType {
  if (type === "address") return "address";
  if (type === "bool") return "boolean";
  return /^u?int\d*$/.test(type) ? "integer" : "text";
}
