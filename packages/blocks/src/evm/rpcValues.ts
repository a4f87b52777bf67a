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
    height: log.field("blockNumber").hexCount(),
    transactionIndex: log.field("transactionIndex").hexCount(),
    logIndex: log.field("logIndex").hexCount(),
    txHash: lowerHex(log.field("transactionHash"), 32),
    address: lowerHex(log.field("address"), 20),
  };
}

/** The order of the chain. Sorts by transaction first, because not every node may number logs through the block. */
export function byPlace(a: LogPlace, b: LogPlace): number {
  return a.height - b.height || a.transactionIndex - b.transactionIndex || a.logIndex - b.logIndex;
}
