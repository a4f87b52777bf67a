import type { AbiEvent, AbiParameter } from "viem";
import { decodeAbiParameters, parseAbiItem, toEventSelector } from "viem/utils";
import { readEvmEvents, type EvmEvent } from "@vipscore/blocks/evm";
import { quoteText } from "@vipscore/core/errors";
import { object, optional, text, type Field } from "@vipscore/core/field";
import { count } from "@vipscore/core/values";
import type { BlockRange, ChainSource, SourcePart } from "../chain/chainSource.ts";
import type { RollupNode } from "../chain/rollupNode.ts";
import { kindOfOtherVm, policyInvalid, sourceInvalid } from "../policyError.ts";
import {
  isInIntegerRange,
  type ColumnType,
  type SourceColumn,
  type SourceRow,
  type SourceValue,
} from "./policySource.ts";
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
  /** One or more forms of the event; logs tell them apart. */
  readonly shapes: readonly EventShape[];
  /** The first height, if the source begins before the window. */
  readonly startHeight: number | undefined;
  /** Those of every event, then the parameters of the first shape in their order. */
  readonly columns: readonly SourceColumn[];
}

/** A form of an event: its parameters, and which of them are indexed. */
export interface EventShape {
  /** As the policy writes it. */
  readonly text: string;
  readonly event: AbiEvent;
  /** For each parameter of the first shape, the position of the same one here. */
  readonly order: readonly number[];
}

const readFields = object({
  ...sourceFields,
  contracts: distinct(contractAddress([20])),
  event: readShapes,
  start_height: optional(blockHeight),
});

export function readEvmEventsDefinition(source: Field): EvmEventsDefinition {
  const { name, contracts, event, start_height: startHeight } = readFields(source);
  const { shapes, columns: own } = event;
  const columns = [...eventColumns, ...own];
  for (const [index, column] of columns.entries()) {
    if (columns.findIndex((other) => other.name === column.name) === index) continue;
    source.at("event").fail(`names ${column.name} twice; rename the parameter, which changes nothing`);
  }
  return { kind: "evm_events", name, contracts, shapes, startHeight, columns };
}

/** Reads one event, or several forms of it with the same parameters: a contract may change within a stage. */
function readShapes(field: Field): Pick<EvmEventsDefinition, "shapes" | "columns"> {
  const fields = Array.isArray(field.value) ? field.items() : [field];
  const [first = field.fail("is empty"), ...others] = fields.map((each) => ({ field: each, ...readAbiEvent(each) }));
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
  return { text: signature, event: isEvent(item) ? item : field.failExpected("an event") };
}

function isEvent(item: unknown): item is AbiEvent {
  return typeof item === "object" && item !== null && "type" in item && item.type === "event";
}

function eventColumn({ name = "", type }: AbiParameter, index: number, field: Field): SourceColumn {
  if (name === "") field.fail(`has no name for parameter ${index + 1}`);
  return { name: checkSqlName(name, field), type: columnTypeOf(type) };
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
  const { name, kind, columns, contracts, shapes } = definition;
  const readers = shapes.map(shapeReader);
  const rowOf = (found: EvmEvent): SourceRow => {
    const place = () => `${name}: event ${found.logIndex} of transaction ${found.txHash} in block ${found.height}`;
    const reader = readers.find(({ fits }) => fits(found));
    if (reader === undefined) throw otherShape(found, place(), shapes);
    return [...blockValues(found), BigInt(found.logIndex), found.txHash, found.address, ...reader.read(found, place)];
  };
  const forms = shapes.map(({ event, order }) => [
    toEventSelector(event),
    event.inputs.map(({ indexed }) => indexed === true),
    order,
  ]);
  return {
    name,
    kind,
    columns,
    identity: JSON.stringify({ kind, contracts, forms }),
    async *read({ first, last }: BlockRange, signal: AbortSignal): AsyncGenerator<SourcePart, void, undefined> {
      // Logs of the same event with other indexed parameters come too.
      const filter = { addresses: contracts, topics: [shapes.map(({ event }) => toEventSelector(event))] };
      for await (const part of readEvmEvents(rpc, { ...filter, first, last, signal })) {
        yield { first: part.first, last: part.last, lastHash: part.lastHash, rows: part.events.map(rowOf) };
      }
    },
  };
}

/** Tells the logs of a form of an event, and reads their values in the order of the columns. */
function shapeReader({ event, order }: EventShape): { fits: (log: EventData) => boolean; read: ValueReader } {
  const values = valueReader(event.inputs);
  const isOrdered = order.every((position, index) => position === index);
  const [selector, topics, { digits, isFixed }] = [toEventSelector(event), topicsOf(event), dataOf(event)];
  return {
    fits: (log) =>
      log.topics[0] === selector &&
      log.topics.length === topics &&
      (isFixed ? log.data.length - 2 === digits : log.data.length - 2 >= digits),
    read: (log, place) => {
      const read = values(log, place);
      return isOrdered ? read : order.flatMap((position) => read[position] ?? []);
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

/** A parameter of an event, in its order. */
type Parameter = AbiEvent["inputs"][number];

/** The parts of an event that have its parameters: the indexed ones are in the topics, the others in the data. */
type EventData = Pick<EvmEvent, "topics" | "data">;

/**
 * Reads the values of an event's parameters, in their order.
 *
 * @param placeOf Returns where the event is, for messages.
 * @throws VipError `SOURCE_INVALID` for data that do not fit the parameters, or an integer beyond 38 digits.
 */
type ValueReader = (event: EventData, placeOf: () => string) => readonly SourceValue[];

/** Creates the reader of an event's parameters. Values of one word are read directly, all others by viem. */
export function valueReader(inputs: readonly Parameter[]): ValueReader {
  const readWords = wordsReader(inputs);
  const decode = decoder(inputs);
  return (event, placeOf) => readWords(event) ?? decode(event, placeOf());
}

/** A parameter that is one word. */
interface WordParameter {
  readonly read: WordReader;
  /** The topic that is the parameter; undefined for one in the data. */
  readonly topic: number | undefined;
  /** Where its word begins in the data. */
  readonly start: number;
}

/** Reads the values of one word each; undefined if a parameter has another type, or if a word is not one of its type. */
function wordsReader(inputs: readonly Parameter[]): (event: EventData) => readonly SourceValue[] | undefined {
  const parameters: WordParameter[] = [];
  let topics = 0;
  let end = "0x".length;
  for (const input of inputs) {
    const isIndexed = input.indexed === true;
    const read = wordReader(isIndexed && isHashed(input) ? "bytes32" : input.type);
    if (read === undefined) return () => undefined;
    if (isIndexed) topics += 1;
    parameters.push({ read, topic: isIndexed ? topics : undefined, start: end });
    if (!isIndexed) end += wordDigits;
  }
  return ({ topics: words, data }) => {
    if (data.length < end || data.length % 2 !== 0) return undefined;
    const values: SourceValue[] = [];
    for (const { read, topic, start } of parameters) {
      const word = topic === undefined ? data.slice(start, start + wordDigits) : words[topic]?.slice("0x".length);
      const value = word?.length === wordDigits ? read(word) : undefined;
      if (value === undefined) return undefined;
      values.push(value);
    }
    return values;
  };
}

/** Creates the reader of any parameters. */
function decoder(inputs: readonly Parameter[]): (event: EventData, place: string) => readonly SourceValue[] {
  const inData = inputs.filter((input) => input.indexed !== true).map(dataParameter);
  const inTopics = inputs.filter((input) => input.indexed === true).map(topicParameter);
  return ({ topics, data }, place) => {
    let ofData: readonly unknown[];
    let ofTopics: readonly unknown[];
    try {
      ofData = inData.length === 0 ? [] : decodeAbiParameters(inData, data);
      ofTopics = inTopics.map((input, index) => decodeAbiParameters([input], topics[index + 1] ?? "0x")[0]);
    } catch (cause) {
      throw sourceInvalid(`${place} has data that do not fit the event's parameters`, { cause });
    }
    let dataIndex = 0;
    let topicIndex = 0;
    return inputs.map((input) => {
      const value = input.indexed === true ? ofTopics[topicIndex++] : ofData[dataIndex++];
      return input.type === "address" ? formatAddress(value) : toSourceValue(value, `${place}: ${input.name}`);
    });
  };
}

/** An address is decoded as a number: viem writes it with the capitals of EIP-55, whose hash is most of the time of a row. */
function dataParameter(input: Parameter): AbiParameter {
  return input.type === "address" ? { type: "uint160" } : input;
}

function formatAddress(value: unknown): string {
  if (typeof value !== "bigint") throw new TypeError("an address was not decoded as a number");
  return `0x${BigInt.asUintN(160, value).toString(16).padStart(40, "0")}`;
}

function topicParameter(input: Parameter): AbiParameter {
  return isHashed(input) ? { type: "bytes32" } : dataParameter({ type: input.type });
}

/** A text, bytes, list or struct has only its hash in a topic. */
function isHashed({ type }: Parameter): boolean {
  return /^(?:string|bytes)$|\]$|^tuple/.test(type);
}

function toSourceValue(value: unknown, place: string): SourceValue {
  if (typeof value === "boolean") return value;
  if (typeof value === "number") return BigInt(value);
  if (typeof value === "bigint") {
    if (isInIntegerRange(value)) return value;
    throw sourceInvalid(`${place} is ${value}, which is beyond 38 digits`);
  }
  // Hex in lower case, as everywhere else; viem writes addresses with capitals.
  if (typeof value === "string") return /^0x[0-9a-f]*$/i.test(value) ? value.toLowerCase() : value;
  return JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? `${part}` : part));
}

/** Hex digits of a word. */
const wordDigits = 64;

/**
 * Reads the value of a word, 64 hex digits in lower case; undefined if the word is not how Solidity writes a value of the type, or
 * if the value is beyond an integer's 38 digits.
 */
type WordReader = (word: string) => SourceValue | undefined;

/** Returns the reader of an ABI type that is one word; undefined for any other type, such as `string` or a list. */
function wordReader(type: string): WordReader | undefined {
  // As viem and the EVM, only the low 20 bytes.
  if (type === "address") return (word) => `0x${word.slice(24)}`;
  if (type === "bool") return readBool;
  const [, sign, bits = "256"] = /^(u?)int(\d*)$/.exec(type) ?? [];
  if (sign !== undefined) return integerReader(Number(bits === "" ? "256" : bits), sign === "");
  const [, bytes] = /^bytes(\d+)$/.exec(type) ?? [];
  if (bytes === undefined) return undefined;
  const digits = Number(bytes) * 2;
  return (word) => `0x${word.slice(0, digits)}`;
}

function readBool(word: string): boolean | undefined {
  if (!word.startsWith(zeros(63))) return undefined;
  const digit = word.charAt(63);
  return digit === "0" || digit === "1" ? digit === "1" : undefined;
}

/** Digits of the integers that a JavaScript number holds exactly; parsing these is faster. */
const numberDigits = 13;
const beforeNumber = zeros(wordDigits - numberDigits);

function integerReader(bits: number, isSigned: boolean): WordReader {
  const [min, max] = isSigned
    ? [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n]
    : [0n, 2n ** BigInt(bits) - 1n];
  return (word) => {
    const isSmall = word.startsWith(beforeNumber);
    const plain = isSmall ? BigInt(Number.parseInt(word.slice(-numberDigits), 16)) : BigInt(`0x${word}`);
    const value = isSigned && !isSmall ? BigInt.asIntN(256, plain) : plain;
    return value >= min && value <= max && isInIntegerRange(value) ? value : undefined;
  };
}

function zeros(digits: number): string {
  return "0".repeat(digits);
}
