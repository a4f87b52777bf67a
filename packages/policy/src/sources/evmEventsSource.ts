import type { AbiEvent, AbiParameter } from "viem";
import { parseAbiItem, toEventSelector } from "viem/utils";
import { readEvmEvents, type EvmEvent } from "@vipscore/blocks/evm";
import { quoteText } from "@vipscore/core/errors";
import { object, optional, text, type Field } from "@vipscore/core/field";
import type { BlockRange, ChainSource, SourcePart } from "../chain/chainSource.ts";
import type { RollupNode } from "../chain/rollupNode.ts";
import { kindOfOtherVm, policyInvalid } from "../policyError.ts";
import { valueReader } from "./evmValues.ts";
import type { ColumnType, SourceColumn, SourceRow } from "./policySource.ts";
import {
  blockHeight,
  blockValues,
  checkSqlName,
  contractAddress,
  distinct,
  eventColumns,
  sourceFields,
} from "./sourceFields.ts";

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

const readFields = object({
  ...sourceFields,
  contracts: distinct(contractAddress([20])),
  event: readAbiEvent,
  start_height: optional(blockHeight),
});

/** Reads the fields of an EVM event. @throws InputError `POLICY_INVALID`. */
export function readEvmEventsDefinition(source: Field): EvmEventsDefinition {
  const { name, contracts, event, start_height: startHeight } = readFields(source);
  const field = source.at("event");
  const columns = [...eventColumns, ...event.inputs.map((parameter, index) => eventColumn(parameter, index, field))];
  for (const [index, column] of columns.entries()) {
    if (columns.findIndex((other) => other.name === column.name) === index) continue;
    field.wrong(`names ${column.name} twice; rename the parameter, which changes nothing`);
  }
  return { kind: "evm_events", name, contracts, event, startHeight, columns };
}

function readAbiEvent(field: Field): AbiEvent {
  const signature = text(field);
  let item: unknown;
  try {
    item = parseAbiItem(signature);
  } catch (cause) {
    const details = cause instanceof Error ? cause.message : undefined;
    throw policyInvalid(
      field.place,
      `is ${quoteText(signature)}; write it as in Solidity: event Traded(address indexed trader, uint256 volume)`,
      {
        ...(details === undefined ? {} : { details }),
        cause,
      },
    );
  }
  return isEvent(item) ? item : field.expected("an event");
}

function isEvent(item: unknown): item is AbiEvent {
  return typeof item === "object" && item !== null && "type" in item && item.type === "event";
}

function eventColumn({ name = "", type }: AbiParameter, index: number, field: Field): SourceColumn {
  if (name === "") field.wrong(`has no name for parameter ${index + 1}`);
  return { name: checkSqlName(name, field), type: columnTypeOf(type) };
}

/** Numbers up to 256 bits are integers; a value beyond 38 digits is an error when it occurs. */
function columnTypeOf(type: string): ColumnType {
  if (type === "address") return "address";
  if (type === "bool") return "boolean";
  return /^u?int\d*$/.test(type) ? "integer" : "text";
}

/**
 * Reads the logs of one event. Logs with another number of indexed parameters are another event, and left out.
 *
 * @throws InputError `POLICY_INVALID` on another VM.
 */
export function evmEventsSource(definition: EvmEventsDefinition, node: RollupNode): ChainSource {
  if (node.vm !== "evm") throw kindOfOtherVm(definition, node.vm);
  const { rpc } = node;
  const { name, kind, columns, contracts, event } = definition;
  const signature = toEventSelector(event);
  const indexed = event.inputs.map((input) => input.indexed === true);
  const topics = 1 + indexed.filter(Boolean).length;
  const values = valueReader(event.inputs);
  const rowOf = (found: EvmEvent): SourceRow => {
    const place = () => `${name}: event ${found.logIndex} of transaction ${found.txHash} in block ${found.height}`;
    return [...blockValues(found), BigInt(found.logIndex), found.txHash, found.address, ...values(found, place)];
  };
  return {
    name,
    kind,
    columns,
    identity: JSON.stringify({ kind, contracts, signature, indexed }),
    async *read({ first, last }: BlockRange, signal: AbortSignal): AsyncGenerator<SourcePart, void, undefined> {
      const filter = { addresses: contracts, topics: [signature] };
      for await (const part of readEvmEvents(rpc, { ...filter, first, last, signal })) {
        const events = part.events.filter((found) => found.topics.length === topics);
        yield { first: part.first, last: part.last, lastHash: part.lastHash, rows: events.map(rowOf) };
      }
    },
  };
}
