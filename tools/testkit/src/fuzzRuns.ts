/**
 * Returns the number of random cases of a test: `usual` times FUZZ_FACTOR from the environment, an integer from 1, which
 * `npm run test:long` sets.
 *
 * @throws Error when FUZZ_FACTOR is not such an integer.
 */
export function fuzzRuns(usual: number): number {
  const factor = Number(process.env["FUZZ_FACTOR"] ?? 1);
  if (!Number.isSafeInteger(factor) || factor < 1) throw new Error("FUZZ_FACTOR is not an integer from 1");
  return usual * factor;
}
