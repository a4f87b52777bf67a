import { NodeError } from "@vipscore/core";
import {
  Answer,
  exchange,
  ForeignAnswer,
  HttpStatusError,
  isObject,
  readRpcError,
  type HttpEndpoint,
  type JsonRpcCall,
} from "@vipscore/core/wire";
import { JsonListReader, PartTooLarge, type JsonLists } from "./jsonLists.ts";

/** The lists of a result that are read element by element, and functions that read them and the rest. */
export interface ListRead<E, T> {
  /** Name of the list's field, at most 32 characters. */
  readonly field: string;
  /** The part of an element to keep, by its index in its list; undefined keeps nothing. */
  readonly keep: (element: Answer, index: number) => E | undefined;
  /** Reads the result, which has the text `[n]` in place of each list; n is the list's index in `lists`. */
  readonly read: (answer: Answer, lists: readonly (readonly E[])[]) => T;
}

/**
 * A call whose answer is read list by list; `timeoutMs` applies to the first byte of the answer, then to each chunk.
 */
type ListCall = Omit<JsonRpcCall, "maxBytes">;

/** Maximum bytes of an answer: far more than any block has, but a limit for endless answers. */
const maxBytes = 8_589_934_592;

/**
 * Calls a JSON-RPC method once and streams lists of its result, which may be far larger than memory.
 *
 * @throws RpcError for a refusal; HttpStatusError for an answer with the status of an error; NodeError
 * `NODE_UNREACHABLE` if the answer is missing, too slow or breaks off, `NODE_BAD_RESPONSE` if a part of it is too large
 * or unreadable, or it is not JSON-RPC, `NODE_REDIRECTED` if it redirects to another host; the signal's reason when
 * aborted.
 */
export async function callForLists<E, T>(endpoint: HttpEndpoint, call: ListCall, how: ListRead<E, T>): Promise<T> {
  const { method, params, timeoutMs, signal } = call;
  const source = { endpoint: endpoint.shown, title: method, hide: endpoint.hide };
  const { field } = how;
  const reader = new JsonListReader<E>({
    field,
    keep: (element, index) => how.keep(new Answer(source, element, undefined, `an element of ${field}`), index),
  });
  let head = "";
  const notJsonRpc = (json?: unknown): ForeignAnswer => {
    const text = head.slice(0, 200);
    return new ForeignAnswer(
      endpoint,
      { title: method, expected: "JSON-RPC; is it the RPC URL of the rollup?" },
      { text, json },
    );
  };
  const readChunk = (chunk: Uint8Array): void => {
    if (head.length < 200) head += Buffer.from(chunk.subarray(0, 200)).toString("utf8");
    try {
      reader.push(chunk);
    } catch (error) {
      if (error instanceof SyntaxError) throw notJsonRpc();
      if (!(error instanceof PartTooLarge)) throw error;
      const { message: details } = error;
      const message = `${endpoint.shown} answered ${method} with ${details}`;
      throw new NodeError(message, { code: "NODE_BAD_RESPONSE", details });
    }
  };
  const { status } = await exchange(endpoint, {
    url: endpoint.at(""),
    title: method,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    timeoutMs,
    maxBytes,
    signal,
    readChunk,
  });
  signal?.throwIfAborted();
  const { rest, lists } = readEnd(reader);
  const answer = isObject(rest) ? rest : undefined;
  const error = answer?.["error"];
  if (isObject(error) && status !== 429) throw readRpcError(endpoint, method, error);
  if (status < 200 || status > 299) {
    throw new HttpStatusError(endpoint.shown, status, endpoint.hide(head.slice(0, 200)));
  }
  if (answer?.["result"] === undefined) throw notJsonRpc(rest);
  endpoint.memory.hasAnswered = true;
  return how.read(new Answer(source, answer["result"]), lists);
}

/** Parses JSON; undefined for other text, where the status may say more. */
function readEnd<T>(reader: JsonListReader<T>): JsonLists<T> {
  try {
    return reader.end();
  } catch {
    return { rest: undefined, lists: [] };
  }
}
