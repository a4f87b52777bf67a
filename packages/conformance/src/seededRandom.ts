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

/** Returns the private key of an account of the examiner. */
export function seededKey(seed: number, name: string): Buffer {
  return createHash("sha256").update(`key ${seed} ${name}`).digest();
}

/** Values for the arguments of an entry point whose meaning is unknown. */
export interface RandomValues {
  /** A number that fits into so many bits: mostly a stage, values at the limits, and numbers that the code holds. */
  readonly number: (bits: number) => bigint;
  readonly account: () => Account;
  readonly flag: () => boolean;
  readonly bytes: (length: number) => Buffer;
  /** Coins to send with a call, up to a million; mostly none. */
  readonly coins: () => bigint;
  /** The length of every list in a call: lists of rows and of their scores must agree. */
  readonly length: number;
}

/** What random values are about. */
export interface ValueSource {
  readonly stages: readonly [bigint, ...bigint[]];
  readonly accounts: readonly [Account, ...Account[]];
  /** Numbers that the contract's code holds. */
  readonly numbers: readonly bigint[];
  /** Takes these instead: the stage as the first number, `number` as every other. */
  readonly about?: { readonly stage: bigint; readonly account: Account; readonly number: bigint } | undefined;
}

/** Returns the values of one call, which the seed determines. */
export function randomValues(seed: string, { stages, accounts, numbers, about }: ValueSource): RandomValues {
  const { below, pick } = seededRandom(seed);
  let isFirst = true;
  return {
    number: (bits) => {
      if (about !== undefined) {
        const number = isFirst ? about.stage : about.number;
        isFirst = false;
        return BigInt.asUintN(bits, number);
      }
      // A number that is too small for a stage may be an index. The first number of a call is mostly the stage.
      const stage = pick(stages);
      const near = stage < 2n ** BigInt(bits) ? stage : 1n;
      const limits = [0n, 1n, 2n, 7n, near + 1n, 500n, 2n ** 32n + 1n, 2n ** 53n + 1n, u64Max] as const;
      const kind = below(6);
      const isNear = kind < (isFirst ? 4 : 1);
      isFirst = false;
      const named = kind === 5 ? numbers[below(numbers.length)] : undefined;
      return BigInt.asUintN(bits, named ?? (isNear ? near : pick(limits)));
    },
    account: () => about?.account ?? pick(accounts),
    flag: () => below(2) === 1,
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
    coins: () => pick([0n, 0n, 0n, 0n, 1n, 1_000_000n]),
    length: pick([1, 1, 2, 3]),
  };
}
