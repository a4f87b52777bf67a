import { attempt, type Fetch } from "./http/attempt.ts";
import { retry } from "./http/retry.ts";

/** Parts of a URL shorter than this occur in texts by chance and are not taken for secrets. */
const shortestSecret = 6;

/** Longest delay that `setTimeout` takes, in milliseconds; it takes a longer one for none. */
const maxTimeoutMs = 2_147_483_647;

/** How an indexer is asked. */
export interface IndexerOptions {
  /** Asks instead of the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** How long one attempt may take, body included, in milliseconds; 30,000 when absent. */
  readonly attemptTimeoutMs?: number | undefined;
  /** How long one request may take, all attempts and pauses included, in milliseconds; 120,000 when absent. */
  readonly timeoutMs?: number | undefined;
  /**
   * How a request is repeated after status 429, 502, 503, 504 and network faults, and at most twice after a 500: how many
   * attempts are made at most (4 when absent) and the first pause in milliseconds (250 when absent), which doubles each
   * time and comes on top of any `Retry-After`.
   */
  readonly retry?: { readonly attempts?: number | undefined; readonly minDelayMs?: number | undefined } | undefined;
}

/** One request of an {@link Indexer}. */
export interface IndexerRequest {
  /** A query string, without `?`. */
  readonly query?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** False to take the first 500 for the answer. */
  readonly repeat500?: boolean | undefined;
  /** Called with the headers of the answer. A browser shows only those that the server exposes to the page. */
  readonly onHeaders?: ((headers: Headers) => void) | undefined;
}

/** An indexer to ask: the first parameter of every function of this package. */
export interface Indexer {
  /** Where requests go, without whatever may be a credential; for messages. */
  readonly endpoint: string;
  /** Tells indexers apart, also those that `endpoint` shows alike; holds no credential. For caches. */
  readonly id: string;
  /**
   * The JSON at a path below the base URL.
   *
   * @throws IndexerRequestError; the signal's reason when aborted.
   */
  readonly get: (path: string, request?: IndexerRequest) => Promise<unknown>;
}

/**
 * Prepares to ask an indexer; sends nothing yet.
 *
 * @param baseUrl what stands before `/indexer/nft/v1`. A path and a query of it are kept.
 * @throws TypeError when it is no http or https URL, or has a user or password, which browsers do not send; the error does
 * not repeat it.
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
    get: (path, { query = "", signal, repeat500 = true, onHeaders } = {}) => {
      const join = (separator: string, ...parts: readonly string[]) => parts.filter(Boolean).join(separator);
      return retry(
        (leftMs) =>
          attempt({
            url: origin + basePath + join("?", path, join("&", search.slice(1), query)),
            shown: endpoint + join("?", path, query),
            hide: (text) => secrets.reduce((left, secret) => left.replaceAll(secret, "…"), text),
            // Looked up at each attempt, so that a fetch put in place later is used too.
            fetch: options.fetch ?? fetch,
            timeoutMs: Math.ceil(Math.min(attemptTimeoutMs, leftMs, maxTimeoutMs)),
            onHeaders,
            signal,
          }),
        { attempts, minDelayMs, timeoutMs, repeat500, signal },
      );
    },
  };
}

function readBaseUrl(text: string): URL {
  let url: URL | undefined;
  try {
    url = new URL(text);
  } catch {
    // Told below, without the text: it can hold a key pasted into the wrong place.
  }
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw new TypeError("an indexer's URL is http:// or https://, without user or password");
  }
  return url;
}

/** 32 bits of a text, too few to guess a token from. */
function hash(text: string): number {
  let sum = 0;
  for (const character of text) sum = (sum * 31 + character.charCodeAt(0)) | 0;
  return sum;
}
