import { u64Max, type Account } from "@vipscore/core";
import { seededRandom } from "./seededRandom.ts";

/** Values for the arguments of an entry point whose meaning is unknown. */
export interface RandomValues {
  /** A number that fits into so many bits: mostly 1, which may be a stage, and values at the limits. */
  readonly number: (bits: number) => bigint;
  readonly account: () => Account;
  readonly flag: () => boolean;
  readonly bytes: (length: number) => Buffer;
  /** The length of every list in a call: lists of rows and of their scores must agree. */
  readonly length: number;
}

/** Returns the values of one call, which the seed determines; accounts are of a list. */
export function randomValues(seed: string, accounts: readonly [Account, ...Account[]]): RandomValues {
  const { below, pick } = seededRandom(seed);
  return {
    number: (bits) => BigInt.asUintN(bits, pick([1n, 1n, 1n, 1n, 0n, 2n, 3n, 500n, 2n ** 53n + 1n, u64Max])),
    account: () => pick(accounts),
    flag: () => below(2) === 1,
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
    length: pick([1, 1, 2, 3]),
  };
}
