import type { AbiEvent, AbiParameter } from "viem";
import { parseAbiItem, toEventSelector } from "viem/utils";
import { readEvmEvents, type EvmEvent } from "@vipscore/blocks/evm";
import { quoteText } from "@vipscore/core/errors";
import { object, optional, text, withSchema, type Field } from "@vipscore/core/field";
import { count } from "@vipscore/core/values";
import type { ChainSource } from "../chain/chainSource.ts";
import type { RollupNode } from "../chain/rollupNode.ts";
import { kindOfOtherVm, policyInvalid, sourceInvalid } from "../policyError.ts";
import { eventsSource, maxMisfits, misfitFields } from "./eventRows.ts";
import { isHashed, valueReader, wordDigits, type EventData, type Parameter, type ValueReader } from "./evmValues.ts";
import type { ColumnType, SourceColumn } from "./policySource.ts";
import {
  blockHeight,
  checkSqlName,
  contractAddress,
  distinct,
  eventColumns,
  hexPattern,
  sourceColumns,
  sourceFields,
} from "./sourceFields.ts";

/** A source of kind `evm_events`: one event of one or more contracts. */
export interface EvmEventsDefinition {
  readonly kind: "evm_events";
  readonly name: string;
  /** Contracts in lower-case hex, sorted. */
  readonly contracts: readonly `0x${string}`[];
  /** One or more forms of the event; logs tell them apart. */
  readonly shapes: readonly EventShape[];
  /** The first height, if the source begins before the window. */
  readonly startHeight: number | undefined;
  /** Those of every event, then the parameters of the first shape in their order. */
  readonly columns: readonly SourceColumn[];
  /** How many events may not fit the columns; undefined if none may. */
  readonly maxMisfits: number | undefined;
}

/** A form of an event: its parameters, and which of them are indexed. */
interface EventShape {
  /** As the policy writes it. */
  readonly text: string;
  readonly event: AbiEvent;
  /** For each parameter of the first shape, the position of the same one here. */
  readonly order: readonly number[];
}

const readFields = object({
  ...sourceFields,
  contracts: distinct(contractAddress([20])),
  event: withSchema({ type: ["string", "array"], minItems: 1, items: { type: "string" } }, readShapes),
  columns: optional(sourceColumns),
  start_height: optional(blockHeight),
  ...misfitFields,
});

export function readEvmEventsDefinition(source: Field): EvmEventsDefinition {
  const { name, contracts, event, columns: declared = [], start_height: startHeight, ...rest } = readFields(source);
  const { shapes } = event;
  for (const { name: column, type } of declared) {
    const own = event.columns.find((other) => other.name === column);
    const field = source.at("columns").at(column);
    if (own === undefined) field.fail("is not a parameter of the event");
    if (type !== own?.type && type !== "text") field.failExpected(`${own?.type}, or text`);
  }
  const ofEvm = (column: SourceColumn): SourceColumn => {
    const { type = column.type } = declared.find((other) => other.name === column.name) ?? {};
    return { ...column, type, pattern: column.name === "tx_hash" ? hexPattern(32) : column.pattern };
  };
  const columns = [...eventColumns, ...event.columns].map(ofEvm);
  for (const [index, column] of columns.entries()) {
    if (columns.findIndex((other) => other.name === column.name) === index) continue;
    source.at("event").fail(`names ${column.name} twice; rename the parameter, which changes nothing`);
  }
  const most = maxMisfits(source, rest);
  return { kind: "evm_events", name, contracts, shapes, startHeight, columns, maxMisfits: most };
}

readEvmEventsDefinition.schema = readFields.schema;

/** Reads one event, or several forms of it with the same parameters: a contract may change within a stage. */
function readShapes(field: Field): Pick<EvmEventsDefinition, "shapes" | "columns"> {
  const fields = Array.isArray(field.value) ? field.items() : [field];
  const [first = field.fail("is empty"), ...others] = fields.map((each) => {
    const { text: written, event } = readAbiEvent(each);
    return { field: each, text: written, event };
  });
  const { inputs } = first.event;
  const columns = inputs.map((parameter, index) => eventColumn(parameter, index, first.field));
  const shapes: EventShape[] = [{ ...first, order: [...inputs.keys()] }];
  for (const { field: place, text: written, event } of others) {
    const order = inputs.map(({ name }) => event.inputs.findIndex((input) => input.name === name));
    const isSame = order.every((at, index) => contentOf(event.inputs[at]) === contentOf(inputs[index]));
    if (!isSame || event.inputs.length !== inputs.length) place.fail("has other parameters than the first event");
    const isTaken = shapes.some(
      (other) => toEventSelector(other.event) === toEventSelector(event) && topicsOf(other.event) === topicsOf(event),
    );
    if (isTaken) place.fail("is an event whose logs look like those of another in the list");
    shapes.push({ text: written, event, order });
  }
  return { shapes, columns };
}

/** What a column has of a parameter: a value of a type, or a hash. */
function contentOf(input: Parameter | undefined): string | undefined {
  if (input === undefined) return undefined;
  return input.indexed === true && isHashed(input) ? "hash" : columnTypeOf(input.type);
}

/** Topics of an event's logs. */
function topicsOf({ inputs }: AbiEvent): number {
  return 1 + inputs.filter(({ indexed }) => indexed === true).length;
}

function readAbiEvent(field: Field): Pick<EventShape, "text" | "event"> {
  const signature = text(field);
  let item: unknown;
  try {
    item = parseAbiItem(signature);
  } catch (cause) {
    const details = cause instanceof Error ? cause.message : String(cause);
    const problem = `is ${quoteText(signature)}; write it as in Solidity: event Traded(address indexed trader, uint256 volume)`;
    throw policyInvalid(field.place, problem, { details, cause });
  }
  return { text: signature, event: isEvent(item) ? item : field.failExpected("an event") };
}

function isEvent(item: unknown): item is AbiEvent {
  return typeof item === "object" && item !== null && "type" in item && item.type === "event";
}

function eventColumn(input: Parameter, index: number, field: Field): SourceColumn {
  const { name = "", type } = input;
  if (name === "") field.fail(`has no name for parameter ${index + 1}`);
  const [, bytes] = /^bytes(\d*)$/.exec(input.indexed === true && isHashed(input) ? "bytes32" : type) ?? [];
  const column = { name: checkSqlName(name, field), type: columnTypeOf(type) };
  return bytes === undefined ? column : { ...column, pattern: hexPattern(bytes === "" ? "" : Number(bytes)) };
}

/** Numbers up to 256 bits are integers; a value beyond 38 digits is an error when it occurs. */
function columnTypeOf(type: string): ColumnType {
  if (type === "address") return "address";
  if (type === "bool") return "boolean";
  return /^u?int\d*$/.test(type) ? "integer" : "text";
}

/** Reads the logs of one event in its forms. */
export function evmEventsSource(definition: EvmEventsDefinition, node: RollupNode): ChainSource {
  if (node.vm !== "evm") throw kindOfOtherVm(definition, node.vm);
  const { rpc } = node;
  const { columns, contracts, shapes } = definition;
  const texts = new Set(columns.filter(({ type }) => type === "text").map((column) => column.name));
  const readers = shapes.map((shape) => shapeReader(shape, texts));
  const forms = shapes.map(({ event, order }) => [
    toEventSelector(event),
    event.inputs.map(({ indexed }) => indexed === true),
    order,
  ]);
  // Logs of the same event with other indexed parameters come too.
  const filter = { addresses: contracts, topics: [shapes.map(({ event }) => toEventSelector(event))] };
  return eventsSource<EvmEvent>(definition, {
    identity: { contracts, forms },
    assumed: assumptionOf(shapes),
    read: (range, signal) => readEvmEvents(rpc, { ...filter, ...range, signal }),
    indexOf: ({ logIndex }) => logIndex,
    readValues: (found, placeOf) => {
      const reader = readers.find(({ fits }) => fits(found));
      if (reader === undefined) throw otherShape(found, placeOf(), shapes);
      return [found.address, ...reader.read(found, placeOf)];
    },
  });
}

/** A log has as many topics whichever parameters are indexed (wevm/viem 197). */
function assumptionOf(shapes: readonly EventShape[]): string | undefined {
  const mixed = shapes.filter(
    ({ event: { inputs } }) => new Set(inputs.map(({ indexed }) => indexed === true)).size > 1,
  );
  if (mixed.length === 0) return undefined;
  return `which parameters are indexed: ${mixed.map(({ text: shape }) => shape).join("; ")}`;
}

/** Recognizes the logs of a form of an event, and reads their values in the order of the columns. */
function shapeReader(
  { event, order }: EventShape,
  texts: ReadonlySet<string>,
): { fits: (log: EventData) => boolean; read: ValueReader } {
  const values = valueReader(event.inputs, texts);
  const [selector, topics, { digits, isFixed }] = [toEventSelector(event), topicsOf(event), dataOf(event)];
  return {
    fits: (log) =>
      log.topics[0] === selector &&
      log.topics.length === topics &&
      (isFixed ? log.data.length - 2 === digits : log.data.length - 2 >= digits),
    read: (log, place) => {
      const read = values(log, place);
      return order.map((position) => read[position] ?? null);
    },
  };
}

/** Hex digits of an event's data, at least; exactly if no parameter in it varies in length. */
function dataOf({ inputs }: AbiEvent): { readonly digits: number; readonly isFixed: boolean } {
  const sizes = inputs.filter(({ indexed }) => indexed !== true).map(wordsOf);
  let words = 0;
  for (const size of sizes) words += size ?? 1;
  return { digits: words * wordDigits, isFixed: !sizes.includes(undefined) };
}

/** Words of a parameter in the data; undefined if that varies: then one word says where it is. */
function wordsOf(parameter: AbiParameter): number | undefined {
  const { type } = parameter;
  const [, element, length] = /^(.*)\[(\d*)\]$/.exec(type) ?? [];
  if (element !== undefined) {
    const words = length === "" ? undefined : wordsOf({ ...parameter, type: element });
    return words === undefined ? undefined : words * Number(length);
  }
  if (!("components" in parameter)) return type === "string" || type === "bytes" ? undefined : 1;
  const parts = parameter.components.map(wordsOf);
  return parts.reduce((sum, part) => (sum === undefined || part === undefined ? undefined : sum + part), 0);
}

/** The error for a log of the event in a form that the policy does not name: what it says cannot be known, so nothing is left out. */
function otherShape({ topics, data }: EventData, place: string, shapes: readonly EventShape[]): Error {
  const describe = (indexed: number, bytes: string): string =>
    `${count(indexed, "indexed parameter")} and ${bytes} of data`;
  return sourceInvalid(`${place} has another shape than the policy's event`, {
    metaMessages: [
      `It has ${describe(topics.length - 1, `${(data.length - 2) / 2} bytes`)}.`,
      ...shapes.map(({ text: written, event }) => {
        const { digits, isFixed } = dataOf(event);
        return `${written}: ${describe(topicsOf(event) - 1, `${isFixed ? "" : "at least "}${digits / 2} bytes`)}.`;
      }),
      'Write "indexed" where the contract has it. If the contract changed, list both: event = ["event …", "event …"].',
    ],
  });
}
