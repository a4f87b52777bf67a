import { ForeignAnswer } from "./foreignAnswer.ts";
import type { HttpEndpoint } from "./httpEndpoint.ts";
import { exchange } from "./httpExchange.ts";
import { HttpStatusError } from "./httpStatusError.ts";
import { isObject } from "./isObject.ts";

/** A node's error object: it understood the call and refused it. Texts hold nothing that the endpoint hides. */
export interface JsonRpcRefusal {
  readonly code: unknown;
  readonly message: string | undefined;
  readonly data: unknown;
}

/** One call and its bounds. */
export interface JsonRpcCall {
  readonly method: string;
  /** A list or an object, as the method takes them. */
  readonly params: unknown;
  /** How long the answer may take, in milliseconds. */
  readonly timeoutMs: number;
  /** Largest answer that is read. */
  readonly maxBytes: number;
  readonly signal: AbortSignal | undefined;
  /** The error that a refusal becomes. */
  readonly refuse: (refusal: JsonRpcRefusal) => Error;
}

/** Every request has a connection of its own, so that one id serves all. */
const id = 1;

/**
 * Calls a JSON-RPC method, once, and gives its result.
 *
 * @throws what `refuse` makes of a refusal; HttpStatusError for an answer with the status of an error; NodeError
 * `NODE_UNREACHABLE` when no answer comes in time, `NODE_BAD_RESPONSE` when it is too long or not JSON-RPC, `NODE_REDIRECTED`;
 * the signal's reason when aborted.
 */
export async function callJsonRpc(endpoint: HttpEndpoint, call: JsonRpcCall): Promise<unknown> {
  const { method, params, timeoutMs, maxBytes, signal, refuse } = call;
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
  // Some providers send the error object with an HTTP status of its own; a limit stays a limit either way.
  if (isObject(error) && status !== 429) {
    endpoint.memory.hasAnswered = true;
    throw refuse(readRefusal(endpoint, error));
  }
  if (status < 200 || status > 299) {
    throw new HttpStatusError(endpoint.shown, status, endpoint.hide(text.slice(0, 200)), retryAfterMs);
  }
  if (answer?.["result"] === undefined || answer["id"] !== id) {
    const expected = "JSON-RPC; is it the RPC URL of the rollup?";
    throw new ForeignAnswer(endpoint, { title: method, expected }, response);
  }
  endpoint.memory.hasAnswered = true;
  return answer["result"];
}

/** What a node's error object says. */
export function readRefusal({ hide }: HttpEndpoint, error: Readonly<Record<string, unknown>>): JsonRpcRefusal {
  const { code, message, data } = error;
  return {
    code,
    message: typeof message === "string" ? hide(message) : undefined,
    data: typeof data === "string" ? hide(data) : data,
  };
}
