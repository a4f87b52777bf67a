/** Returns and prints the seed of a random test, to repeat a failure: FUZZ_SEED from the environment, else a new one. */
export function fuzzSeed(): number {
  const given = process.env["FUZZ_SEED"];
  const seed = given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given);
  if (!Number.isSafeInteger(seed)) throw new Error(`FUZZ_SEED is not an integer: ${given}`);
  console.log(`FUZZ_SEED=${seed}`);
  return seed;
}
