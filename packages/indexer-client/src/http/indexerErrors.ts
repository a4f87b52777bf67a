/** What went wrong, stable between versions. */
export type IndexerErrorCode =
  /** The server refused the request: an address, a key or a limit that it does not take. */
  | "INDEXER_BAD_REQUEST"
  /** No such collection, token or route. */
  | "INDEXER_NOT_FOUND"
  /** The server or a gateway before it failed, or has had too many requests. */
  | "INDEXER_SERVER_ERROR"
  /** No connection, or one that broke. */
  | "INDEXER_UNREACHABLE"
  /** No whole answer in time. */
  | "INDEXER_TIMEOUT"
  /** An answer that is not the indexer's: a web page, a wrong type, more bytes than a page can have. */
  | "INDEXER_BAD_ANSWER"
  /** A collection that changed whenever it was read; of `readHolders`. */
  | "INDEXER_MOVING";

/** What an error of a request says beside its message. */
export interface IndexerErrorFields {
  /** Of a class that has more than one. */
  readonly code?: IndexerErrorCode;
  readonly url: string;
  readonly status?: number;
  readonly retryable?: boolean;
  readonly details?: string | undefined;
  readonly retryAfterMs?: number;
}

/** The base of every error that a request to an indexer ends with, save an abort, which ends with the signal's reason. */
export class IndexerRequestError extends Error {
  override readonly name: string = "IndexerRequestError";
  declare readonly code: IndexerErrorCode;
  /** The URL asked for, without its token; for messages. */
  declare readonly url: string;
  /** The HTTP status; undefined when no answer came. */
  declare readonly status: number | undefined;
  /** True if the same request may succeed a little later. The client has by then repeated it as often as it may. */
  declare readonly retryable: boolean;
  /** The server's own text of an error, at most 200 characters; the system's code of a network fault. */
  declare readonly details: string | undefined;
  /** How long the server asks to wait, in milliseconds; 0 when it does not say. */
  declare readonly retryAfterMs: number;

  constructor(message: string, fields: IndexerErrorFields, cause?: unknown) {
    const { url, details } = fields;
    super(`${url} ${message}${details ? `: ${details}` : ""}`, { cause });
    Object.assign(this, { retryable: false, retryAfterMs: 0 }, fields);
  }
}

/** `INDEXER_BAD_REQUEST`: status 400, or any other from 401 to 499 that has no class of its own. */
export class IndexerBadRequestError extends IndexerRequestError {
  override readonly name = "IndexerBadRequestError";
  override readonly code = "INDEXER_BAD_REQUEST";
}

/** `INDEXER_NOT_FOUND`: status 404. */
export class IndexerNotFoundError extends IndexerRequestError {
  override readonly name = "IndexerNotFoundError";
  override readonly code = "INDEXER_NOT_FOUND";
}

/**
 * `INDEXER_SERVER_ERROR`: status 429, or from 500 on. A 500 is not `retryable`: a page with a row that the server cannot serve
 * always answers it.
 */
export class IndexerServerError extends IndexerRequestError {
  override readonly name = "IndexerServerError";
  override readonly code = "INDEXER_SERVER_ERROR";
}

/** `INDEXER_UNREACHABLE` or `INDEXER_TIMEOUT`: no answer, or only a part of one. */
export class IndexerNetworkError extends IndexerRequestError {
  override readonly name = "IndexerNetworkError";
  declare readonly code: "INDEXER_UNREACHABLE" | "INDEXER_TIMEOUT";
}

/** `INDEXER_BAD_ANSWER`: what came is not an indexer's answer. */
export class IndexerBadAnswerError extends IndexerRequestError {
  override readonly name = "IndexerBadAnswerError";
  override readonly code = "INDEXER_BAD_ANSWER";
}

/** The error of an answer that is not an indexer's. */
export function badAnswer(url: string, message: string, status = 200, cause?: unknown): IndexerBadAnswerError {
  return new IndexerBadAnswerError(message, { url, status }, cause);
}
