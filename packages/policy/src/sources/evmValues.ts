import type { AbiEvent, AbiParameter } from "viem";
import { decodeAbiParameters } from "viem/utils";
import type { EvmEvent } from "@vipscore/blocks/evm";
import { MisfitError } from "./eventRows.ts";
import { isInIntegerRange, type SourceValue } from "./policySource.ts";

/** A parameter of an event, in its order. */
export type Parameter = AbiEvent["inputs"][number];

/** The parts of an event that have its parameters: the indexed ones are in the topics, the others in the data. */
export type EventData = Pick<EvmEvent, "topics" | "data">;

/** Reads the values of an event's parameters. @throws MisfitError for data that do not fit, or an integer beyond 38 digits. */
export type ValueReader = (event: EventData, placeOf: () => string) => readonly SourceValue[];

/** Values of one word are read directly, all others by viem. In a column of `texts`, a number is its digits, of any size. */
export function valueReader(inputs: readonly Parameter[], texts: ReadonlySet<string> = new Set()): ValueReader {
  const readWords = wordsReader(inputs, texts);
  const decode = decoder(inputs, texts);
  return (event, placeOf) => readWords(event) ?? decode(event, placeOf());
}

interface WordParameter {
  readonly read: WordReader;
  /** The topic that is the parameter; undefined for one in the data. */
  readonly topic: number | undefined;
  /** Where its word begins in the data. */
  readonly start: number;
}

/** Reads the values of one word each; undefined if a parameter has another type, or if a word is not one of its type. */
function wordsReader(
  inputs: readonly Parameter[],
  texts: ReadonlySet<string>,
): (event: EventData) => readonly SourceValue[] | undefined {
  const parameters: WordParameter[] = [];
  let topics = 0;
  let end = "0x".length;
  for (const input of inputs) {
    const isIndexed = input.indexed === true;
    const read = wordReader(isIndexed && isHashed(input) ? "bytes32" : input.type, texts.has(input.name ?? ""));
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
function decoder(
  inputs: readonly Parameter[],
  texts: ReadonlySet<string>,
): (event: EventData, place: string) => readonly SourceValue[] {
  const inData = inputs.filter((input) => input.indexed !== true).map(dataParameter);
  const inTopics = inputs.filter((input) => input.indexed === true).map(topicParameter);
  return ({ topics, data }, place) => {
    let ofData: readonly unknown[];
    let ofTopics: readonly unknown[];
    try {
      ofData = inData.length === 0 ? [] : decodeAbiParameters(inData, data);
      ofTopics = inTopics.map((input, index) => decodeAbiParameters([input], topics[index + 1] ?? "0x")[0]);
    } catch (cause) {
      throw new MisfitError(`${place} has data that do not fit the event's parameters`, { cause });
    }
    let dataIndex = 0;
    let topicIndex = 0;
    return inputs.map((input) => {
      const value = input.indexed === true ? ofTopics[topicIndex++] : ofData[dataIndex++];
      if (input.type === "address") return formatAddress(value);
      const { name = "" } = input;
      return toSourceValue(value, `${place}: ${name}`, texts.has(name));
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
export function isHashed({ type }: Parameter): boolean {
  return /^(?:string|bytes)$|\]$|^tuple/.test(type);
}

function toSourceValue(value: unknown, place: string, isText: boolean): SourceValue {
  if (isText && (typeof value === "boolean" || typeof value === "number" || typeof value === "bigint"))
    return `${value}`;
  if (typeof value === "boolean") return value;
  if (typeof value === "number") return BigInt(value);
  if (typeof value === "bigint") {
    if (isInIntegerRange(value)) return value;
    throw new MisfitError(`${place} is ${value}, which is beyond 38 digits`, {
      metaMessages: [
        'Declare its column as text, as in columns = { volume = "text" }, or leave such events out: on_misfit = "reject".',
      ],
    });
  }
  if (typeof value === "string") return value;
  return JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? `${part}` : part));
}

/** Hex digits of a word. */
export const wordDigits = 64;

/**
 * Reads the value of a word, 64 hex digits in lower case; undefined if the word is not how Solidity writes a value of the type, or
 * if the value is beyond an integer's 38 digits.
 */
type WordReader = (word: string) => SourceValue | undefined;

/** Returns the reader of an ABI type that is one word; undefined for any other type, such as `string` or a list. */
function wordReader(type: string, isText: boolean): WordReader | undefined {
  // As viem and the EVM, only the low 20 bytes.
  if (type === "address") return (word) => `0x${word.slice(24)}`;
  // A text of any other value comes from viem: it is rare.
  if (isText && /^(?:bool|u?int)/.test(type)) return undefined;
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
