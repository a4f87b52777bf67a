import { NodeError } from "@vipscore/core";
import {
  followRedirects,
  HttpStatusError,
  isObject,
  networkFault,
  readRefusal,
  type HttpEndpoint,
  type JsonRpcCall,
} from "@vipscore/core/http";
import { JsonListReader, PartTooLarge, type JsonLists, type ListChoice } from "./jsonLists.ts";

/** A call whose answer is read list by list. */
export interface ListCall<T> extends Omit<JsonRpcCall, "maxBytes"> {
  /** How long the first byte of the answer, and then each further chunk, may take, in milliseconds. */
  readonly timeoutMs: number;
  readonly choice: ListChoice<T>;
}

/** Most bytes of an answer that are read in all: far more than any block has, and an end to an answer without one. */
const maxBytes = 8_589_934_592;

/**
 * Calls a JSON-RPC method, once, and reads lists of its result as they come: they may be far larger than the memory.
 *
 * @returns the result, with the chosen lists apart.
 * @throws what `refuse` makes of a refusal; HttpStatusError for an answer with the status of an error; NodeError
 * `NODE_UNREACHABLE` when the answer does not come, comes too slowly or breaks off, `NODE_BAD_RESPONSE` when a part of it is too
 * large or it is not JSON-RPC, `NODE_REDIRECTED` when it is a redirect to another host; what `keep` throws; the signal's reason when aborted.
 */
export async function callForLists<T>(endpoint: HttpEndpoint, call: ListCall<T>): Promise<JsonLists<T>> {
  const { method, params, signal, refuse } = call;
  const { status, head, rest, lists } = await send(
    endpoint,
    call,
    JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  );
  signal?.throwIfAborted();
  const answer = isObject(rest) ? rest : undefined;
  const error = answer?.["error"];
  if (isObject(error) && status !== 429) throw refuse(readRefusal(endpoint, error));
  const details = endpoint.hide(head);
  if (status < 200 || status > 299) throw new HttpStatusError(endpoint.shown, status, details);
  if (answer?.["result"] !== undefined) return { rest: answer["result"], lists };
  throw new NodeError(`${endpoint.shown} answered ${method} with something that is not JSON-RPC`, {
    code: "NODE_BAD_RESPONSE",
    details,
  });
}

/** What came back: the beginning of its text, and what could be read of it. */
interface Received<T> extends JsonLists<T> {
  readonly status: number;
  readonly head: string;
}

async function send<T>(endpoint: HttpEndpoint, call: ListCall<T>, body: string): Promise<Received<T>> {
  const { method, timeoutMs, signal, choice } = call;
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  let hasBegun = false;
  try {
    const response = await followRedirects(endpoint.shown, endpoint.at(""), {
      method: "POST",
      headers: { ...endpoint.headers, accept: "application/json", "content-type": "application/json" },
      body,
      signal: signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal]),
    });
    const reader = new JsonListReader<T>(choice);
    let head = "";
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
    if (error instanceof PartTooLarge || error instanceof SyntaxError) {
      const what = error instanceof PartTooLarge ? error.message : "something that is not JSON";
      throw new NodeError(`${endpoint.shown} answered ${method} with ${what}`, {
        code: "NODE_BAD_RESPONSE",
        details: what,
      });
    }
    const details = faultOf(error, method, { timeoutMs, isTimeout: timeout.signal.aborted, hasBegun });
    throw new NodeError(`${endpoint.shown} does not answer: ${details}`, { code: "NODE_UNREACHABLE", details });
  } finally {
    clearTimeout(timer);
  }
}

/** The text's value; undefined for a text that is not JSON, whose status may say more. */
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
