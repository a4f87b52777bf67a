/** Reproducible random numbers. */
export interface SeededRandom {
  /** An integer from 0 to `bound` - 1. */
  readonly below: (bound: number) => number;
  readonly pick: <T>(values: readonly T[]) => T;
}

/** Returns the upper half of a 64-bit linear congruential generator with D. E. Knuth's MMIX constants. */
export function seededRandom(seed: number): SeededRandom {
  let state = BigInt.asUintN(64, BigInt(seed) + 1n);
  const below = (bound: number) => {
    state = BigInt.asUintN(64, state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n);
    return Number((state >> 32n) % BigInt(Math.max(bound, 1)));
  };
  return {
    below,
    pick: <T>(values: readonly T[]) => {
      if (values.length === 0) throw new RangeError("nothing to pick from");
      // One of the values may itself be undefined.
      return values[below(values.length)] as T;
    },
  };
}
