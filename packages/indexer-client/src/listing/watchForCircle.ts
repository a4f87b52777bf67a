/** Rows that move may come again at the start of another page; so often only in a listing that never ends. */
const mostRepeats = 2;

/**
 * Finds rows that start a page again and again, in constant memory: each is compared with one held since the last power of two
 * (R. P. Brent, "An improved Monte Carlo factorization algorithm", 1980).
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
    return repeats > mostRepeats;
  };
}
