import {
  badAnswer,
  IndexerBadRequestError,
  IndexerNotFoundError,
  IndexerServerError,
  type IndexerRequestError,
} from "./indexerErrors.ts";
import { readBody } from "./readBody.ts";

/** Maximum size of an error text, in bytes. */
const maxTextBytes = 16_384;

/** Creates the error for a status other than success, with the server's text if it is plain text. */
export async function statusError(
  response: Response,
  url: string,
  hide: (text: string) => string,
): Promise<IndexerRequestError> {
  const { status, headers } = response;
  const message = `answered HTTP status ${status}`;
  if (status < 400) return badAnswer(url, message, status);
  const fields = {
    url,
    status,
    // Overload is temporary.
    retryable: status === 429 || (status > 501 && status < 505),
    details: /^text\/plain/i.test(headers.get("content-type") ?? "")
      ? hide(await readText(response, url)).slice(0, 200)
      : undefined,
    retryAfterMs: readRetryAfter(headers.get("retry-after") ?? ""),
  };
  if (status === 404) return new IndexerNotFoundError(message, fields);
  const isServerError = status === 429 || status >= 500;
  return new (isServerError ? IndexerServerError : IndexerBadRequestError)(message, fields);
}

/** Reads a text; empty if it is too long or breaks off, which does not change the status. */
async function readText(response: Response, url: string): Promise<string> {
  try {
    const body = await readBody(response, maxTextBytes, url);
    return await body.text();
  } catch {
    return "";
  }
}

/**
 * Parses a `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3) to milliseconds from now; 0 for anything
 * else.
 */
function readRetryAfter(value: string): number {
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return milliseconds > 0 ? milliseconds : 0;
}
