/** Number of page requests that run at a time: enough to hide network latency, few enough for a public endpoint. */
export const parallelPages = 4;

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

/**
 * Runs `work(item)` for every item with `width` calls in flight and yields the results in the items' order. Aborts the
 * remaining calls when the consumer stops early or a call fails.
 */
export async function* inOrder<Item, Result>(
  items: Iterable<Item>,
  width: number,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Result, void, undefined> {
  const stopped = new AbortController();
  const combined = signal === undefined ? stopped.signal : AbortSignal.any([signal, stopped.signal]);
  const running: Promise<Result>[] = [];
  try {
    for (const item of items) {
      const result = work(item, combined);
      // A failure is thrown in its turn; until then it must not count as unhandled.
      result.catch(() => {});
      running.push(result);
      const first = running.length === width ? running.shift() : undefined;
      if (first !== undefined) yield await first;
    }
    for (const result of running) yield await result;
  } finally {
    stopped.abort();
  }
}
