/** Error codes, stable across versions. */
export type IndexerErrorCode =
  /** The server refused the request: an invalid address, key or limit. */
  | "INDEXER_BAD_REQUEST"
  /** No such collection or stage. */
  | "INDEXER_NOT_FOUND"
  /** The server or a gateway in front of it failed, or had too many requests. */
  | "INDEXER_SERVER_ERROR"
  /** No connection, or one that broke. */
  | "INDEXER_UNREACHABLE"
  /** No complete answer in time. */
  | "INDEXER_TIMEOUT"
  /** Not an indexer's answer: a web page, another server's 404, a wrong type, more bytes than a page can have. */
  | "INDEXER_BAD_ANSWER"
  /** A collection changed in every attempt; thrown by `readHolders`. */
  | "INDEXER_MOVING";

/** Details of a request error besides its message. */
export interface IndexerErrorFields {
  /** For a class with more than one code. */
  readonly code?: IndexerErrorCode;
  readonly url: string;
  readonly status?: number;
  readonly retryable?: boolean;
  readonly details?: string | undefined;
  readonly retryAfterMs?: number;
}

/** Base class of all errors of a request to an indexer. An abort throws the signal's reason instead. */
export class IndexerRequestError extends Error {
  override readonly name: string = "IndexerRequestError";
  declare readonly code: IndexerErrorCode;
  /** The requested URL without its token, for messages. */
  declare readonly url: string;
  /** The HTTP status; undefined without an answer. */
  declare readonly status: number | undefined;
  /** True if the same request may succeed later. The client has already used all retries. */
  declare readonly retryable: boolean;
  /** The server's error text, at most 200 characters; for a network error, the system's code. */
  declare readonly details: string | undefined;
  /** The wait that the server asks for, in milliseconds; 0 if it does not say. */
  declare readonly retryAfterMs: number;

  constructor(message: string, fields: IndexerErrorFields, cause?: unknown) {
    const { url, details } = fields;
    super(`${url} ${message}${details ? `: ${details}` : ""}`, { cause });
    Object.assign(this, { retryable: false, retryAfterMs: 0 }, fields);
  }
}

/** `INDEXER_BAD_REQUEST`: status 400, or another from 401 to 499 without its own class. */
export class IndexerBadRequestError extends IndexerRequestError {
  override readonly name = "IndexerBadRequestError";
  override readonly code = "INDEXER_BAD_REQUEST";
}

/** `INDEXER_NOT_FOUND`: status 404, as the indexer does not know the collection or the stage. */
export class IndexerNotFoundError extends IndexerRequestError {
  override readonly name = "IndexerNotFoundError";
  override readonly code = "INDEXER_NOT_FOUND";
}

/**
 * `INDEXER_SERVER_ERROR`: status 429, or 500 and above. A 500 is not `retryable`: a page with a row that the server
 * cannot serve always fails with it.
 */
export class IndexerServerError extends IndexerRequestError {
  override readonly name = "IndexerServerError";
  override readonly code = "INDEXER_SERVER_ERROR";
}

/** `INDEXER_UNREACHABLE` or `INDEXER_TIMEOUT`: no answer, or only part of one. */
export class IndexerNetworkError extends IndexerRequestError {
  override readonly name = "IndexerNetworkError";
  declare readonly code: "INDEXER_UNREACHABLE" | "INDEXER_TIMEOUT";
}

/** `INDEXER_BAD_ANSWER`: not an indexer's answer. */
export class IndexerBadAnswerError extends IndexerRequestError {
  override readonly name = "IndexerBadAnswerError";
  override readonly code = "INDEXER_BAD_ANSWER";
}

/** Creates the error for an answer that is not an indexer's: its message names the origin, which may be wrong. */
export function badAnswer(
  url: string,
  message: string,
  fields: Partial<IndexerErrorFields> = {},
  cause?: unknown,
): IndexerBadAnswerError {
  const base = url.split("/", 3).join("/");
  return new IndexerBadAnswerError(
    `${message} (is there an NFT indexer at ${base}?)`,
    { url, status: 200, ...fields },
    cause,
  );
}
