import { Answer, type ReadAnswer } from "./answer.ts";
import type { HttpEndpoint } from "./endpoint.ts";
import { exchange, HttpStatusError } from "./exchange.ts";
import { ForeignAnswer } from "./foreignAnswer.ts";
import { isObject } from "./isObject.ts";
import { RpcError, type RpcErrorAnswer } from "./rpcError.ts";

/** One call and its limits. */
export interface JsonRpcCall {
  readonly method: string;
  /** A list or an object, as the method takes them. */
  readonly params: unknown;
  /** Time limit of the answer, in milliseconds. */
  readonly timeoutMs: number;
  /** Largest answer to read, in bytes. */
  readonly maxBytes: number;
  readonly signal: AbortSignal | undefined;
}

/** Every request has its own connection, so one id is enough. */
const id = 1;

/**
 * Calls a JSON-RPC method once and reads its result.
 *
 * @throws RpcError if the node refuses; HttpStatusError for an HTTP error status; NodeError `NODE_UNREACHABLE`
 * if no answer comes in time, `NODE_BAD_RESPONSE` if it is too long, not JSON-RPC or unreadable, `NODE_REDIRECTED`;
 * the signal's reason when aborted.
 */
export async function callJsonRpc<T>(endpoint: HttpEndpoint, call: JsonRpcCall, read: ReadAnswer<T>): Promise<T> {
  const { method, params, timeoutMs, maxBytes, signal } = call;
  const response = await exchange(endpoint, {
    url: endpoint.at(""),
    title: method,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
    timeoutMs,
    maxBytes,
    signal,
  });
  const { status, text, json, retryAfterMs } = response;
  const answer = isObject(json) ? json : undefined;
  const error = answer?.["error"];
  // Some providers send the error object with an HTTP error status; a rate limit counts either way.
  if (isObject(error) && status !== 429) {
    endpoint.memory.hasAnswered = true;
    throw readRpcError(endpoint, method, error);
  }
  if (status < 200 || status > 299) {
    throw new HttpStatusError(endpoint.shown, status, endpoint.hide(text.slice(0, 200)), retryAfterMs);
  }
  if (answer?.["result"] === undefined || answer["id"] !== id) {
    const expected = "JSON-RPC; is it the RPC URL of the rollup?";
    throw new ForeignAnswer(endpoint, { title: method, expected }, response);
  }
  endpoint.memory.hasAnswered = true;
  return read(new Answer({ endpoint: endpoint.shown, title: method, hide: endpoint.hide }, answer["result"]));
}

/** Creates the error for a node's error object. */
export function readRpcError({ shown, hide }: HttpEndpoint, method: string, error: RpcErrorAnswer): RpcError {
  const { code, message, data } = error;
  return new RpcError(shown, method, {
    code,
    message: typeof message === "string" ? hide(message) : undefined,
    data: hideIn(data, hide),
  });
}

/** Levels of an error's data that are kept: Hardhat sends two. */
const keptLevels = 8;

/** A value with the endpoint's secrets removed from its texts. */
function hideIn(data: unknown, hide: (text: string) => string, levels = keptLevels): unknown {
  if (typeof data === "string") return hide(data);
  if (typeof data !== "object" || data === null) return data;
  if (levels === 0) return undefined;
  if (Array.isArray(data)) return data.map((part) => hideIn(part, hide, levels - 1));
  return Object.fromEntries(Object.entries(data).map(([name, part]) => [name, hideIn(part, hide, levels - 1)]));
}
