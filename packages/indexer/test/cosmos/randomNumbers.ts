import { createHash, randomBytes } from "node:crypto";

/** Pseudo-random numbers that a seed decides: `FUZZ_SEED`, or a new one that is printed. */
export interface RandomNumbers {
  readonly seed: string;
  /** A whole number from 0 to `bound` - 1. */
  readonly below: (bound: number) => number;
  /** One of the items. */
  readonly pick: <T>(items: readonly T[]) => T;
}

export function randomNumbers(): RandomNumbers {
  const seed = process.env["FUZZ_SEED"] ?? randomBytes(4).toString("hex");
  console.log(`FUZZ_SEED=${seed}`);
  let count = 0;
  const below = (bound: number) => {
    count += 1;
    return createHash("sha256").update(`${seed} ${count}`).digest().readUInt32BE() % bound;
  };
  return {
    seed,
    below,
    pick: (items) => {
      const index = below(items.length);
      for (const [place, item] of items.entries()) if (place === index) return item;
      throw new Error("there is nothing to pick from");
    },
  };
}
