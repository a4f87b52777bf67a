import type { Answer } from "@vipscore/core/wire";
import type { HexAddress } from "../hexAddress.ts";
import { lowerHex } from "./rpcValues.ts";

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
