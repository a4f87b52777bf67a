/** Number of runs of a soak: SOAK_RUNS from the environment, an integer from 1. Default: 50. */
export function soakRuns(): number {
  const runs = Number(process.env["SOAK_RUNS"] ?? 50);
  if (!Number.isSafeInteger(runs) || runs < 1) throw new Error("SOAK_RUNS is not an integer from 1");
  return runs;
}

/** Maximum attempts of a step before the soak ends: far more than a lagging endpoint can cause. */
const maxAttempts = 30;

/** Counts of errors by step and code, e.g. `deploy CONTRACT_NOT_FOUND`. */
export type ErrorCounts = Readonly<Record<string, number>>;

/** Runs a step that must succeed; if it fails, counts its error and repeats the step. */
export type TakeStep = <T>(step: string, act: () => Promise<T>) => Promise<T>;

/**
 * Repeats a run whose steps must all succeed, one after the other, and counts the errors of every attempt. Prints the first error
 * of each kind, and the counts.
 *
 * @throws the error of a step's thirtieth attempt.
 */
export async function countFalseErrors(
  title: string,
  runs: number,
  run: (index: number, take: TakeStep) => Promise<void>,
): Promise<ErrorCounts> {
  const counts: Record<string, number> = {};
  const count = (step: string, error: Error & { readonly code?: string }): void => {
    const kind = `${step} ${error.code ?? error.name}`;
    counts[kind] = (counts[kind] ?? 0) + 1;
    if (counts[kind] === 1) console.log(`${title}: ${kind}: ${error.message}`);
  };
  const take: TakeStep = async (step, act) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await act();
      } catch (error) {
        count(step, error as Error);
        if (attempt === maxAttempts) throw error;
      }
    }
  };
  try {
    for (let index = 0; index < runs; index += 1) await run(index, take);
  } finally {
    console.log(`${title}: false errors in ${runs} runs: ${JSON.stringify(counts)}`);
  }
  return counts;
}
