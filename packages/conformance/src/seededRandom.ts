import { createHash } from "node:crypto";

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
