/** Rows that move may start another page again, but this often only in an endless listing. */
const maxRepeats = 2;

/**
 * Detects rows that start pages repeatedly, in constant memory: each is compared with the row kept since the last power
 * of two (R. P. Brent, "An improved Monte Carlo factorization algorithm", 1980).
 */
export function watchForCircle(): (row: unknown) => boolean {
  let held: string | undefined;
  let repeats = 0;
  let count = 0;
  return (row) => {
    const text = JSON.stringify(row);
    if (text === held) repeats += 1;
    count += 1;
    if ((count & (count - 1)) === 0) held = text;
    return repeats > maxRepeats;
  };
}
