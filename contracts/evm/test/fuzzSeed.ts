/** The seed of a fuzz: FUZZ_SEED from the environment, else a new one. Printed, so that a failure can be repeated. */
export function fuzzSeed(): number {
  const seed =
    process.env["FUZZ_SEED"] === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(process.env["FUZZ_SEED"]);
  if (!Number.isSafeInteger(seed)) throw new Error(`FUZZ_SEED is not an integer: ${process.env["FUZZ_SEED"]}`);
  console.log(`FUZZ_SEED=${seed}`);
  return seed;
}
