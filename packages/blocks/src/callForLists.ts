import { NodeError } from "@vipscore/core";
import {
  Answer,
  followRedirects,
  ForeignAnswer,
  HttpStatusError,
  isObject,
  networkFault,
  readRpcError,
  type HttpEndpoint,
  type JsonRpcCall,
} from "@vipscore/core/wire";
import { JsonListReader, PartTooLarge, type JsonLists, type ListChoice } from "./jsonLists.ts";

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
  const { method, signal } = call;
  const source = { endpoint: endpoint.shown, title: method, hide: endpoint.hide };
  const { field } = how;
  const keep = (element: unknown, index: number) =>
    how.keep(new Answer(source, element, undefined, `an element of ${field}`), index);
  const { status, head, rest, lists } = await send(endpoint, call, { field, keep });
  signal?.throwIfAborted();
  const answer = isObject(rest) ? rest : undefined;
  const error = answer?.["error"];
  if (isObject(error) && status !== 429) throw readRpcError(endpoint, method, error);
  if (status < 200 || status > 299) throw new HttpStatusError(endpoint.shown, status, endpoint.hide(head));
  if (answer?.["result"] === undefined) throw notJsonRpc(endpoint, method, head, rest);
  endpoint.memory.hasAnswered = true;
  return how.read(new Answer(source, answer["result"]), lists);
}

function notJsonRpc(endpoint: HttpEndpoint, title: string, text: string, json?: unknown): ForeignAnswer {
  return new ForeignAnswer(endpoint, { title, expected: "JSON-RPC; is it the RPC URL of the rollup?" }, { text, json });
}

/** An answer: the start of its text, and what could be read of it. */
interface Received<T> extends JsonLists<T> {
  readonly status: number;
  readonly head: string;
}

async function send<T>(endpoint: HttpEndpoint, call: ListCall, choice: ListChoice<T>): Promise<Received<T>> {
  const { method, params, timeoutMs, signal } = call;
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  let hasBegun = false;
  let head = "";
  try {
    const response = await followRedirects(endpoint.shown, endpoint.at(""), {
      method: "POST",
      headers: { ...endpoint.headers, accept: "application/json", "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      signal: signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal]),
    });
    const reader = new JsonListReader<T>(choice);
    let size = 0;
    for await (const chunk of response.body ?? []) {
      timer.refresh();
      hasBegun = true;
      size += chunk.byteLength;
      if (size > maxBytes) throw new PartTooLarge(`more than ${maxBytes} bytes`);
      if (head.length < 200) head += Buffer.from(chunk.subarray(0, 200)).toString("utf8");
      reader.push(chunk);
    }
    return { status: response.status, head: head.slice(0, 200), ...readEnd(reader) };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof NodeError) throw error;
    if (error instanceof SyntaxError) throw notJsonRpc(endpoint, method, head.slice(0, 200));
    if (error instanceof PartTooLarge) {
      const { message: details } = error;
      throw new NodeError(`${endpoint.shown} answered ${method} with ${details}`, {
        code: "NODE_BAD_RESPONSE",
        details,
      });
    }
    const details = faultOf(error, method, { timeoutMs, isTimeout: timeout.signal.aborted, hasBegun });
    throw new NodeError(`${endpoint.shown} does not answer: ${details}`, { code: "NODE_UNREACHABLE", details });
  } finally {
    clearTimeout(timer);
  }
}

/** Parses JSON; undefined for other text, where the status may say more. */
function readEnd<T>(reader: JsonListReader<T>): JsonLists<T> {
  try {
    return reader.end();
  } catch {
    return { rest: undefined, lists: [] };
  }
}

function faultOf(
  error: unknown,
  method: string,
  how: { readonly timeoutMs: number; readonly isTimeout: boolean; readonly hasBegun: boolean },
): string {
  if (how.isTimeout) return `no answer to ${method} within ${how.timeoutMs / 1000} s`;
  const reason = networkFault(error);
  return how.hasBegun ? `the answer to ${method} broke off: ${reason}` : reason;
}
