import { badAnswer, IndexerNetworkError, IndexerRequestError } from "./indexerErrors.ts";
import { readBody } from "./readBody.ts";
import { statusError } from "./statusError.ts";

/** The part of `fetch` that the client needs. */
export type Fetch = (url: string, init: { readonly signal: AbortSignal }) => Promise<Response>;

/** Maximum size of an answer, in bytes: 1,000 tokens of 60 kB each, as with pictures in the `uri`. */
const maxAnswerBytes = 67_108_864;

/** A single attempt at a request. */
export interface Attempt {
  readonly url: string;
  /** The URL without anything that may be a credential. */
  readonly shown: string;
  /** Removes anything that may be a credential from the server's text. */
  readonly hide: (text: string) => string;
  readonly fetch: Fetch;
  /** Timeout of the whole answer, in milliseconds; at most what `setTimeout` supports. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends a request once and reads the whole answer as JSON.
 *
 * @throws IndexerRequestError of the matching class; the signal's reason when aborted.
 */
export async function attempt(request: Attempt): Promise<unknown> {
  const { url, shown, hide, fetch, timeoutMs, signal } = request;
  const stop = new AbortController();
  const abort = () => stop.abort();
  const timer = setTimeout(abort, timeoutMs);
  signal?.addEventListener("abort", abort);
  try {
    const response = await fetch(url, { signal: stop.signal });
    if (!response.ok) throw await statusError(response, shown, hide);
    return await readJson(response, shown);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof IndexerRequestError) throw error;
    const isLate = stop.signal.aborted;
    throw new IndexerNetworkError(
      isLate ? `gave no whole answer within ${timeoutMs} ms` : "does not answer",
      {
        code: isLate ? "INDEXER_TIMEOUT" : "INDEXER_UNREACHABLE",
        url: shown,
        retryable: true,
        details: isLate ? undefined : hide(networkFault(error)),
      },
      error,
    );
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
    // Closes the connection if a part of the body was not read.
    abort();
  }
}

async function readJson(response: Response, url: string): Promise<unknown> {
  const { status, headers } = response;
  const type = headers.get("content-type") ?? "nothing";
  if (!/^application\/([\w.+-]+\+)?json\b/i.test(type)) {
    throw badAnswer(url, `answered with ${type.slice(0, 80)} instead of JSON; is it an indexer?`, status);
  }
  const body = await readBody(response, maxAnswerBytes, url);
  const bytes = await body.arrayBuffer();
  try {
    // A replaced character would change a token ID.
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw badAnswer(url, "answered with broken JSON", status, cause);
  }
}

/** `fetch failed` has no details; in Node its cause has the system's code, such as ECONNREFUSED. */
function networkFault(error: unknown): string {
  const { cause, message }: { cause?: { code?: unknown }; message?: unknown } = Object(error);
  return String(cause?.code ?? message).slice(0, 200);
}
