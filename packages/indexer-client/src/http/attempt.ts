import {
  badAnswer,
  IndexerBadRequestError,
  IndexerNetworkError,
  IndexerNotFoundError,
  IndexerRequestError,
  IndexerServerError,
} from "./indexerErrors.ts";

/** The part of `fetch` that the client needs. */
export type Fetch = (url: string, init: { readonly signal: AbortSignal }) => Promise<Response>;

/** Maximum size of an answer, in bytes: 1,000 tokens of 60 kB each, as with pictures in the `uri`. */
const maxAnswerBytes = 67_108_864;

export interface Attempt {
  readonly url: string;
  /** The URL without anything that may be a credential. */
  readonly shown: string;
  /** Removes anything that may be a credential from the server's text, and all after 200 characters. */
  readonly hide: (text: string) => string;
  readonly fetch: Fetch;
  /** Timeout of the whole answer, in milliseconds; at most what `setTimeout` supports. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Sends a request once and reads the whole answer as JSON. */
export function attempt({ url, shown, hide, fetch, timeoutMs, signal }: Attempt): Promise<unknown> {
  return withinTime(timeoutMs, signal, async (stop) => {
    try {
      const response = await fetch(url, { signal: stop });
      if (!response.ok) throw await statusError(response, shown, hide);
      return await readJson(response, shown);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof IndexerRequestError) throw error;
      const isLate = stop.aborted;
      const isRefused = !isLate && (await answersOthers(url, stop));
      signal?.throwIfAborted();
      throw new IndexerNetworkError(
        isLate
          ? `did not finish its answer within ${timeoutMs} ms`
          : `does not ${isRefused ? "allow this origin (CORS)" : "answer"}`,
        {
          url: shown,
          code: isLate ? "INDEXER_TIMEOUT" : "INDEXER_UNREACHABLE",
          details: isLate ? undefined : hide(networkFault(error)),
          retryable: !isRefused,
        },
        error,
      );
    }
  });
}

/** Does work with a signal that aborts after a time, with the caller's signal, and at its end. */
export async function withinTime<T>(
  milliseconds: number,
  signal: AbortSignal | undefined,
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const abort = () => stop.abort();
  const timer = setTimeout(abort, milliseconds);
  signal?.addEventListener("abort", abort);
  try {
    return await work(stop.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
    // Closes the connection if a part of the body was not read.
    abort();
  }
}

/** True in a browser that gets an answer, but keeps it from this web page, which no retry changes. */
async function answersOthers(url: string, signal: AbortSignal): Promise<boolean> {
  const { location }: { location?: { readonly origin: string } } = globalThis;
  const isOther = location !== undefined && !url.startsWith(location.origin);
  return (
    isOther &&
    fetch(url, { mode: "no-cors", signal }).then(
      () => true,
      () => false,
    )
  );
}

async function readJson(response: Response, url: string): Promise<unknown> {
  const type = response.headers.get("content-type") ?? "nothing";
  if (!/^application\/([\w.+-]+\+)?json\b/i.test(type)) {
    throw badAnswer(url, `answered with ${type.slice(0, 80)}, not JSON`);
  }
  const decode = await readBody(response, maxAnswerBytes, url);
  try {
    return JSON.parse(decode());
  } catch (cause) {
    throw badAnswer(url, "answered with broken JSON", {}, cause);
  }
}

/** `fetch failed` has no details; in Node its cause has the system's code, such as ECONNREFUSED. */
export function networkFault(error: unknown): string {
  const { cause, message }: { cause?: { code?: unknown }; message?: unknown } = Object(error);
  return String(cause?.code ?? message);
}

/** Maximum size of an error text, in bytes. */
const maxTextBytes = 16_384;

/**
 * Creates the error for a status other than success. An indexer explains it in plain text, and has one kind of 404; a
 * gateway in front of it fails with 429 or from 500 on, but 501. The rest is another server's.
 */
async function statusError(
  response: Response,
  url: string,
  hide: (text: string) => string,
): Promise<IndexerRequestError> {
  const { status, headers } = response;
  const message = `answered HTTP status ${status}`;
  const details = headers.get("content-type")?.startsWith("text/plain")
    ? await readBody(response, maxTextBytes, url)
        .then((decode) => hide(decode()))
        // A text that is too long or breaks off does not change the status.
        .catch(() => "")
    : undefined;
  const fields = {
    url,
    status,
    // Overload is temporary.
    retryable: status === 429 || (status > 501 && status < 505),
    details,
    retryAfterMs: readRetryAfter(headers.get("retry-after") ?? ""),
  };
  if (status === 429 || (status >= 500 && status !== 501)) return new IndexerServerError(message, fields);
  if (status === 404 && details?.includes("collection not found")) return new IndexerNotFoundError(message, fields);
  if (details !== undefined && status !== 404 && status !== 501) return new IndexerBadRequestError(message, fields);
  return badAnswer(url, message, fields);
}

/**
 * Parses a `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3) to milliseconds from now; 0 for anything
 * else.
 */
function readRetryAfter(value: string): number {
  const milliseconds = Number(value) * 1000 || Date.parse(value) - Date.now();
  return milliseconds > 0 ? milliseconds : 0;
}

/**
 * Reads a whole body. Counts bytes after decompression, and keeps at most `maxBytes`. The fetch of React Native has no body
 * (react-native 37505), and that of node-fetch 2 another stream: theirs is read as text.
 *
 * @returns What decodes it; throws for other bytes than UTF-8.
 * @throws IndexerBadAnswerError for a body that is too long.
 */
export async function readBody(response: Response, maxBytes: number, url: string): Promise<() => string> {
  const reader = (response.body as Partial<typeof response.body>)?.getReader?.();
  const text = !reader && (await response.text());
  const chunks: BlobPart[] = [];
  let size = 0;
  for (;;) {
    const value = (await reader?.read())?.value;
    if (!value) {
      const bytes = await new Blob(chunks).arrayBuffer();
      // A replaced character would change a token ID.
      return () => text || new TextDecoder(undefined, { fatal: true }).decode(bytes);
    }
    size += value.length;
    if (size > maxBytes) throw badAnswer(url, `sent more than ${maxBytes} bytes`);
    chunks.push(value);
  }
}

/** Maximum retries after a 500: a page with a row that cannot be served always fails with it. */
const most500Repeats = 2;

interface RetryBounds {
  /** Maximum number of attempts, including the first. */
  readonly attempts: number;
  /** The first pause, in milliseconds; it doubles each time. */
  readonly minDelayMs: number;
  /** Timeout of all attempts and pauses together, in milliseconds. */
  readonly timeoutMs: number;
  readonly repeat500: boolean;
  readonly signal: AbortSignal | undefined;
}

/**
 * Retries until an attempt succeeds or must not be retried; throws the last attempt's error, or the signal's reason.
 *
 * A pause longer than the remaining time is not started: the caller gets the error at once.
 */
export async function retry<T>(makeAttempt: (leftMs: number) => Promise<T>, bounds: RetryBounds): Promise<T> {
  const { attempts, minDelayMs, timeoutMs, repeat500, signal } = bounds;
  const end = performance.now() + timeoutMs;
  let repeats500 = repeat500 ? most500Repeats : 0;
  for (let made = 1; ; made += 1) {
    signal?.throwIfAborted();
    const leftMs = () => end - performance.now();
    try {
      return await makeAttempt(leftMs());
    } catch (error) {
      if (!(error instanceof IndexerRequestError) || made >= attempts) throw error;
      // Half of the pause is random, so that many readers of a busy server do not return together.
      const delayMs = minDelayMs * 2 ** made * (0.25 + Math.random() / 4) + error.retryAfterMs;
      const mayRepeat = error.status === 500 ? (repeats500 -= 1) >= 0 : error.retryable;
      if (!mayRepeat || delayMs >= leftMs()) throw error;
      await withinTime(delayMs, signal, (stop) => new Promise((resolve) => stop.addEventListener("abort", resolve)));
    }
  }
}
