import type { Answer } from "@vipscore/core/wire";
import type { HexAddress } from "../hexAddress.ts";

/** A height or another count as a JSON-RPC quantity. */
export function quantity(count: number): string {
  return `0x${count.toString(16)}`;
}

/** {@link Answer.hex} in lowercase. */
export function lowerHex(answer: Answer, bytes?: number): HexAddress {
  const hex = answer.hex(bytes);
  // Nodes write lowercase; a new text for each value would cost a fifth of the time of reading logs.
  return /[A-FX]/.test(hex) ? `0x${hex.slice(2).toLowerCase()}` : hex;
}

/** {@link lowerHex} of a field. Nodes write lowercase: then it costs one look, without an object for the field. */
export function hexField(answer: Answer, name: string, bytes?: number): HexAddress {
  const value = answer.object()[name];
  return isLowerHex(value, bytes) ? value : lowerHex(answer.field(name), bytes);
}

/** The topics of a log in lowercase. */
export function topicsOf(log: Answer): readonly HexAddress[] {
  const topics = log.object()["topics"];
  const areLower = Array.isArray(topics) && topics.every((topic): topic is HexAddress => isLowerHex(topic, 32));
  return areLower ? topics : listOf(log.field("topics")).map((topic) => lowerHex(topic, 32));
}

function isLowerHex(value: unknown, bytes?: number): value is HexAddress {
  if (typeof value !== "string") return false;
  const isOfLength = bytes === undefined ? value.length % 2 === 0 : value.length === 2 + 2 * bytes;
  return isOfLength && /^0x[0-9a-f]*$/.test(value);
}

function countField(answer: Answer, name: string): number {
  const value = answer.object()[name];
  // 52 bits: a JavaScript number is exact.
  const isShort = typeof value === "string" && /^0x[0-9a-f]{1,13}$/.test(value);
  return isShort ? Number(value) : answer.field(name).hexCount();
}

/** The address in the low 20 bytes of a word, as the EVM reads one. */
export function addressOfWord(word: string): HexAddress {
  return `0x${word.slice(-40)}`;
}

/** The elements of a list. `null` is not an empty list: a node returns it for missing data. */
export function listOf(answer: Answer): readonly Answer[] {
  return answer.value === null || answer.value === undefined ? answer.unreadable("a list") : answer.list();
}

/** A log's position in the chain, and its contract. */
export interface LogPlace {
  readonly height: number;
  /** In its block, from 0; minievm counts from 1. */
  readonly transactionIndex: number;
  /** From 0, in its block; a node may count in its transaction instead. */
  readonly logIndex: number;
  readonly txHash: HexAddress;
  readonly address: HexAddress;
}

/** Reads the place of a log. @throws UnreadableAnswer for what is not a log of a block. */
export function readLogPlace(log: Answer): LogPlace {
  return {
    height: countField(log, "blockNumber"),
    transactionIndex: countField(log, "transactionIndex"),
    logIndex: countField(log, "logIndex"),
    txHash: hexField(log, "transactionHash", 32),
    address: hexField(log, "address", 20),
  };
}

/** The order of the chain. Sorts by transaction first, because not every node may number logs through the block. */
export function byPlace(a: LogPlace, b: LogPlace): number {
  return a.height - b.height || a.transactionIndex - b.transactionIndex || a.logIndex - b.logIndex;
}
