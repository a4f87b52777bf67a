/** Works on the items, at most `width` at a time; returns the results in order. Stops at the first failure. */
export async function inParallel<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const rest = items.entries();
  let failed = false;
  const worker = async (): Promise<void> => {
    // All workers take from one iterator.
    for (const [index, item] of rest) {
      if (failed) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  return results;
}
