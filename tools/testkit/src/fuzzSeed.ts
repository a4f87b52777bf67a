/**
 * The seed of every random test without FUZZ_SEED, so that a checkout passes or fails each time it is tested. New seeds are drawn
 * at night. The Go and Rust tests repeat the number; a test of `tools/checks` compares them.
 */
export const defaultSeed = 1;

/**
 * Returns the seed of this run: FUZZ_SEED from the environment, else {@link defaultSeed}.
 *
 * @throws Error when FUZZ_SEED is not an integer.
 */
export function seedOfRun(): number {
  const seed = Number(process.env["FUZZ_SEED"] ?? defaultSeed);
  if (!Number.isSafeInteger(seed)) throw new Error(`FUZZ_SEED is not an integer: ${process.env["FUZZ_SEED"]}`);
  return seed;
}

/** Returns the {@link seedOfRun} of a random test, and prints it, to repeat a failure. */
export function fuzzSeed(): number {
  const seed = seedOfRun();
  console.log(`FUZZ_SEED=${seed}`);
  return seed;
}
