import { createHash } from "node:crypto";
import { u64Max, type Account } from "@vipscore/core";

/** Random numbers that a seed determines. */
export interface SeededRandom {
  /** An integer from 0 to `limit` - 1. */
  readonly below: (limit: number) => number;
  /** One of the values. */
  readonly pick: <T>(values: readonly [T, ...T[]]) => T;
}

/** Returns numbers from the first bytes of the hashes of seed and position. */
export function seededRandom(seed: number | string): SeededRandom {
  let place = 0;
  const below = (limit: number): number => {
    place += 1;
    const hash = createHash("sha256").update(`${seed} ${place}`).digest();
    return Math.floor((hash.readUInt32BE() / 2 ** 32) * limit);
  };
  return { below, pick: (values) => values[below(values.length)] ?? values[0] };
}

/** Values for the arguments of an entry point whose meaning is unknown. */
export interface RandomValues {
  /** A number that fits into so many bits: mostly the stage, and values at the limits. */
  readonly number: (bits: number) => bigint;
  readonly account: () => Account;
  readonly flag: () => boolean;
  readonly bytes: (length: number) => Buffer;
  /** The length of every list in a call: lists of rows and of their scores must agree. */
  readonly length: number;
}

/** Returns the values of one call, which the seed determines. */
export function randomValues(
  seed: string,
  { stage, accounts }: { readonly stage: bigint; readonly accounts: readonly [Account, ...Account[]] },
): RandomValues {
  const { below, pick } = seededRandom(seed);
  return {
    number: (bits) => {
      // A number that is too small for a stage may be an index.
      const about = bits < 64 ? 1n : stage;
      const number = below(3) < 2 ? about : pick([0n, 1n, stage + 1n, 500n, 2n ** 53n + 1n, u64Max]);
      return BigInt.asUintN(bits, number);
    },
    account: () => pick(accounts),
    flag: () => below(2) === 1,
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
    length: pick([1, 1, 2, 3]),
  };
}
