/**
 * Gives what an iteration gives, and starts on the next value while the caller works with this one. One value is ahead at
 * most. Leaving early, or an abort, ends the work under way.
 *
 * @param start begins the iteration, which is to heed its signal.
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
      // Its error is thrown once the caller asks for the value, if ever.
      next.catch(() => {});
      signal?.throwIfAborted();
      yield value;
    }
  } finally {
    signal?.removeEventListener("abort", abort);
    stop.abort();
  }
}
