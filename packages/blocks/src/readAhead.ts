/** A range of blocks to read part by part. */
export interface PartsOptions {
  readonly first: number;
  /** Inclusive, not above the newest block. */
  readonly last: number;
  readonly signal: AbortSignal;
}

/** Reads the part that begins at a block; it ends where the reader finds it large enough, at the latest at `end`. */
type PartReader<P> = (first: number, end: number) => Promise<P>;

/**
 * Reads a range part by part. While the caller uses a part, the next one is read; no more than these two are in memory.
 * Once the caller leaves, what is on its way is aborted.
 *
 * @param open - Creates the reader of parts, whose requests end with the signal.
 * @throws Errors of the reader, after the parts before; the signal's reason when aborted.
 */
export async function* readAhead<P extends { readonly last: number }>(
  { first, last, signal }: PartsOptions,
  open: (signal: AbortSignal) => PartReader<P>,
): AsyncGenerator<P, void, undefined> {
  const left = new AbortController();
  const readPart = open(AbortSignal.any([signal, left.signal]));
  const read = (from: number): Promise<P> => {
    const part = readPart(from, last);
    // It fails only where it is awaited, after the part before it was used.
    part.catch(() => undefined);
    return part;
  };
  try {
    let next = first > last ? undefined : read(first);
    while (next !== undefined) {
      const part: P = await next;
      next = part.last < last ? read(part.last + 1) : undefined;
      yield part;
      signal.throwIfAborted();
    }
  } finally {
    left.abort();
  }
}
