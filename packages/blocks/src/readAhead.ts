import { isRefusalToWork } from "@vipscore/core/wire";

/** A range of blocks to read part by part. */
export interface PartsOptions {
  readonly first: number;
  /** Inclusive, not above the newest block. */
  readonly last: number;
  readonly signal: AbortSignal;
}

/** Reads the part that begins at a block; it ends where the reader finds it large enough, at the latest at `end`. */
type ReadPart<P> = (first: number, end: number) => Promise<P>;

/** A reader that knows how many blocks a part should have, and so where the next one begins before it is read. */
interface PlannedReader<P> {
  readonly read: ReadPart<P>;
  readonly width: () => number;
}

/** Parts that are read at once: enough that a node is not idle while an answer is parsed, few enough that it serves others. */
const partsAtOnce = 3;

/**
 * Reads a range part by part. While the caller uses a part, the next one is read; no more than these two are in memory.
 * Once the caller leaves, what is on its way is aborted.
 */
export function readAhead<P extends { readonly last: number }>(
  range: PartsOptions,
  open: (signal: AbortSignal) => ReadPart<P>,
): AsyncGenerator<P, void, undefined> {
  return partsInOrder(range, (signal) => ({ read: open(signal), width: () => Infinity }), 1);
}

/**
 * Reads a range part by part, three parts at once, and returns them in their order. For a node that limits requests, it
 * goes on with one at a time.
 */
export async function* readSeveralAhead<P extends { readonly last: number }>(
  range: PartsOptions,
  open: (signal: AbortSignal) => PlannedReader<P>,
): AsyncGenerator<P, void, undefined> {
  let { first } = range;
  try {
    for await (const part of partsInOrder(range, open, partsAtOnce)) {
      first = part.last + 1;
      yield part;
    }
  } catch (error) {
    range.signal.throwIfAborted();
    if (!isRefusalToWork(error)) throw error;
    yield* partsInOrder({ ...range, first }, open, 1);
  }
}

async function* partsInOrder<P extends { readonly last: number }>(
  { first, last, signal }: PartsOptions,
  open: (signal: AbortSignal) => PlannedReader<P>,
  atOnce: number,
): AsyncGenerator<P, void, undefined> {
  const left = new AbortController();
  const reader = open(AbortSignal.any([signal, left.signal]));
  /** The parts that are being read, ascending and without gaps. */
  const parts: { readonly end: number; readonly part: Promise<P> }[] = [];
  let next = first;
  const start = (from: number, end: number) => {
    const part = reader.read(from, end);
    // It fails only where it is awaited, after the parts before it were used.
    part.catch(() => undefined);
    return { end, part };
  };
  const startMore = (): void => {
    while (parts.length < atOnce && next <= last) {
      const end = Math.min(last, next + reader.width() - 1);
      parts.push(start(next, end));
      next = end + 1;
    }
  };
  try {
    startMore();
    for (let oldest = parts.shift(); oldest !== undefined; oldest = parts.shift()) {
      const part: P = await oldest.part;
      if (part.last < oldest.end) parts.unshift(start(part.last + 1, oldest.end));
      startMore();
      yield part;
      signal.throwIfAborted();
    }
  } finally {
    left.abort();
  }
}
