/**
 * Yields the values of an iteration, and starts on the next value while the caller uses the current one. At most one
 * value is read ahead. Leaving early, or an abort, stops the pending work.
 *
 * @param start starts the iteration, which must respect its signal.
 */
export async function* readAhead<T>(
  start: (signal: AbortSignal) => AsyncIterator<T, void, undefined>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void, undefined> {
  const stop = new AbortController();
  const abort = () => stop.abort(signal?.reason);
  signal?.addEventListener("abort", abort);
  try {
    const values = start(stop.signal);
    let next = values.next();
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = values.next();
      // Its error is thrown when the caller asks for the value, if ever.
      next.catch(() => {});
      signal?.throwIfAborted();
      yield value;
    }
  } finally {
    signal?.removeEventListener("abort", abort);
    stop.abort();
  }
}
