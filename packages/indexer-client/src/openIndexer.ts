import { attempt, retry, type Fetch } from "./http/attempt.ts";

/** Parts of a URL shorter than this occur in text by chance and are not treated as secrets. */
const shortestSecret = 6;

/** The longest delay of `setTimeout`, in milliseconds; it treats a longer one as 0. */
const maxTimeoutMs = 2 ** 31 - 1;

/** Options for requests to an indexer. */
export interface IndexerOptions {
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Timeout of one attempt, including the body, in milliseconds. Default: 30,000. */
  readonly attemptTimeoutMs?: number | undefined;
  /** Timeout of one request, including all attempts and pauses, in milliseconds. Default: 120,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * Retries after status 429, 502, 503, 504 and network errors, and at most twice after a 500: the maximum number of
   * attempts (default: 4) and the first pause in milliseconds (default: 250), which doubles each time and is added to
   * any `Retry-After`.
   */
  readonly retry?: { readonly attempts?: number | undefined; readonly minDelayMs?: number | undefined } | undefined;
}

/** One request of an {@link Indexer}. */
export interface IndexerRequest {
  /** A query string, without `?`. */
  readonly query?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** False to not retry a 500. */
  readonly repeat500?: boolean | undefined;
}

/** An indexer: the first parameter of every function in this package. */
export interface Indexer {
  /** Destination of requests, without anything that may be a credential, for messages. */
  readonly endpoint: string;
  /** Identifies the indexer in caches, even if `endpoint` looks the same; contains no credentials. */
  readonly id: string;
  /**
   * Returns the JSON at a path below the base URL.
   *
   * @throws IndexerRequestError; the signal's reason when aborted.
   */
  readonly get: (path: string, request?: IndexerRequest) => Promise<unknown>;
}

/**
 * Opens an indexer; sends nothing yet.
 *
 * @param baseUrl everything before `/indexer/nft/v1`. Its path and query are kept.
 * @throws TypeError if it is not an http or https URL, contains `/nft/v1`, or has a user or password, which browsers do not send;
 * the error does not repeat it.
 * @example
 * const indexer = openIndexer("https://indexer.example.org");
 */
export function openIndexer(baseUrl: string, options: IndexerOptions = {}): Indexer {
  const { attemptTimeoutMs = 30_000, timeoutMs = 120_000, retry: { attempts = 4, minDelayMs = 250 } = {} } = options;
  const { origin, pathname, search, searchParams, href } = readBaseUrl(baseUrl);
  const basePath = pathname.replace(/\/+$/, "");
  const endpoint = basePath ? `${origin}/…` : origin;
  const secrets = [...(basePath + search).split(/[/?&=]/), ...searchParams.values()]
    .filter((part) => part.length >= shortestSecret)
    .sort((a, b) => b.length - a.length);
  return {
    endpoint,
    id: `${endpoint}#${hash(href)}`,
    get: (path, { query = "", signal, repeat500 = true } = {}) => {
      const join = (separator: string, ...parts: readonly string[]) => parts.filter(Boolean).join(separator);
      return retry(
        (leftMs) =>
          attempt({
            url: origin + basePath + join("?", path, join("&", search.slice(1), query)),
            shown: endpoint + join("?", path, query),
            hide: (text) => secrets.reduce((left, secret) => left.replaceAll(secret, "…"), text).slice(0, 200),
            // Looked up at each attempt, so that a later replacement of fetch is used too.
            fetch: options.fetch ?? fetch,
            timeoutMs: Math.ceil(Math.min(attemptTimeoutMs, leftMs, maxTimeoutMs)),
            signal,
          }),
        { attempts, minDelayMs, timeoutMs, repeat500, signal },
      );
    },
  };
}

function readBaseUrl(text: string): URL {
  try {
    const url = new URL(text);
    if (/^https?:..[^/@]+(?![^?]*\/nft\/v1)\//.test(url.href)) return url;
  } catch {
    // Reported below.
  }
  // Without the text, which may contain a key pasted into the wrong place.
  throw new TypeError(
    'use an http(s) URL, such as new URL("/api", location.href).href, without user, password, /indexer/nft/v1',
  );
}

/** A 32-bit hash of a text, too short to guess a token from. */
function hash(text: string): number {
  let sum = 0;
  for (const character of text) sum = (sum * 31 + character.charCodeAt(0)) | 0;
  return sum;
}
