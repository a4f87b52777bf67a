import { NodeError } from "@vipscore/core";
import { JsonScanner, type JsonPart } from "@vipscore/core/field";
import {
  Answer,
  exchange,
  findRpcError,
  isObject,
  statusError,
  UnexpectedAnswerError,
  type HttpEndpoint,
  type JsonRpcCall,
} from "@vipscore/core/wire";

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

/** Calls a JSON-RPC method once and streams lists of its result, which may be far larger than memory. */
export async function callForLists<E, T>(endpoint: HttpEndpoint, call: ListCall, how: ListRead<E, T>): Promise<T> {
  const { method, params, timeoutMs, signal } = call;
  const source = { endpoint: endpoint.shown, title: method, hide: endpoint.hide };
  const { field } = how;
  const reader = new JsonListReader<E>({
    field,
    keep: (element, index) => how.keep(new Answer(source, element, undefined, `an element of ${field}`), index),
  });
  let head = "";
  const notJsonRpc = (json?: unknown): UnexpectedAnswerError => {
    const text = head.slice(0, 200);
    return new UnexpectedAnswerError(
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
  const { status, retryAfterMs } = await exchange(endpoint, {
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
  const refusal = status === 429 ? undefined : findRpcError(endpoint, method, answer);
  if (refusal !== undefined) throw refusal;
  if (status < 200 || status > 299) throw statusError(endpoint, { status, text: head, retryAfterMs });
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

/** JSON whose long lists were read element by element. */
interface JsonLists<T> {
  /** The value of the text, with `[n]` in place of each removed list; n is its index in `lists`. */
  readonly rest: unknown;
  /** The elements kept of each list, in text order. */
  readonly lists: readonly (readonly T[])[];
}

/** The lists of a JSON text that are read element by element. */
interface ListChoice<T> {
  /** Name of the list's field, at most 32 characters. */
  readonly field: string;
  /** The part of an element to keep, by its index in its list; undefined keeps nothing. */
  readonly keep: (element: unknown, index: number) => T | undefined;
}

/** Maximum size of a list element, and of all text outside the lists, in bytes. */
export const maxPartBytes = 16_777_216;

export class PartTooLarge extends Error {
  override readonly name: string = "PartTooLarge";
}

/**
 * Reads JSON chunk by chunk. Only one element of the chosen lists is in memory at a time, so lists can have any length.
 */
export class JsonListReader<T> {
  readonly #choice: ListChoice<T>;
  readonly #scanner: JsonScanner;
  readonly #lists: T[][] = [];
  #rest = "";
  /** Number of elements of the last list so far, kept or not. */
  #elements = 0;

  constructor(choice: ListChoice<T>) {
    this.#choice = choice;
    const start = new RegExp(`(?<!\\\\)"${choice.field}"\\s*:\\s*$`);
    this.#scanner = new JsonScanner({ isSplit: (_depth, before) => start.test(before), longest: maxPartBytes });
  }

  /** @throws PartTooLarge; SyntaxError if an element is not JSON; errors of `keep`. */
  push(chunk: Uint8Array): void {
    // A character for each byte: a character of UTF-8 may continue in the next chunk.
    const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString("latin1");
    for (const part of this.#scanner.scan(text)) this.#follow(part);
    const { rest } = this.#scanner;
    if (rest !== undefined) requireSmallNumber(rest.text);
  }

  /** @throws SyntaxError if the text was not JSON. */
  end(): JsonLists<T> {
    return { rest: parseAnswer(this.#rest + (this.#scanner.rest?.text ?? "")), lists: this.#lists };
  }

  #follow({ kind, text }: JsonPart): void {
    requireSmallNumber(text);
    if (kind !== "element") {
      this.#rest += text;
      requireSmallNumber(this.#rest);
      if (kind !== "open") return;
      this.#rest += String(this.#lists.length);
      this.#lists.push([]);
      this.#elements = 0;
      return;
    }
    const kept = this.#choice.keep(parseAnswer(text), this.#elements);
    this.#elements += 1;
    if (kept !== undefined) this.#lists.at(-1)?.push(kept);
  }
}

function requireSmallNumber(text: string | undefined): asserts text is string {
  if (text === undefined || text.length > maxPartBytes)
    throw new PartTooLarge(`more than ${maxPartBytes} bytes in one part of an answer`);
}

/** Parses JSON in UTF-8 that has a character for each byte. */
function parseAnswer(bytes: string): unknown {
  return JSON.parse(/[^\0-\x7f]/.test(bytes) ? Buffer.from(bytes, "latin1").toString("utf8") : bytes);
}

/** How long reads of a node are retried. */
export interface NodePatience {
  /**
   * Retry limit of a read while its failure may pass, in milliseconds. Default: 3,000, because a program that follows a chain
   * retries longer itself, and reports why.
   */
  readonly patienceMs?: number | undefined;
}

export const defaultPatienceMs = 3_000;
