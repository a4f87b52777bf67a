/** Number of page requests that run at a time: enough to hide network latency, few enough for a public endpoint. */
export const parallelPages = 4;

/**
 * Runs `fetch(item)` for every item with a few calls in flight and yields the results in the items' order. Aborts the
 * remaining calls when the consumer stops early or a call fails.
 */
export async function* inOrder<Item, Result>(
  items: Iterable<Item>,
  fetch: (item: Item, signal: AbortSignal) => Promise<Result>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Result, void, undefined> {
  const stopped = new AbortController();
  const combined = signal === undefined ? stopped.signal : AbortSignal.any([signal, stopped.signal]);
  const running: Promise<Result>[] = [];
  try {
    for (const item of items) {
      const result = fetch(item, combined);
      // A failure is thrown in its turn; until then it must not count as unhandled.
      result.catch(() => {});
      running.push(result);
      const first = running.length === parallelPages ? running.shift() : undefined;
      if (first !== undefined) yield await first;
    }
    for (const result of running) yield await result;
  } finally {
    stopped.abort();
  }
}
