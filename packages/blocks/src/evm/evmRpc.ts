import { NodeError } from "@vipscore/core";
import {
  Answer,
  exchange,
  HttpStatusError,
  isBehind,
  isObject,
  openJsonRpc,
  parseEndpoint,
  readRpcError,
  retryRead,
  RpcError,
  UnreadableAnswer,
  type HttpAnswer,
  type HttpEndpoint,
  type JsonRpc,
} from "@vipscore/core/wire";
import { callForLists, defaultPatienceMs, type ListRead, type NodePatience } from "../callForLists.ts";
import { isTransient, isUnreadable } from "../readErrors.ts";

/** Timeout of one attempt, in milliseconds. */
const timeoutMs = 15_000;

/** Maximum wait for the start of the answer about a full block, and between its chunks, in milliseconds. */
const blockTimeoutMs = 60_000;

/** Largest answer that is read as a whole, in bytes: the logs of many blocks, or the texts of a batch of calls. */
const maxBytes = 16_777_216;

/**
 * Calls in one HTTP request. geth and minievm accept 1,000 (`DefaultBatchRequestLimit`), public endpoints often 100.
 */
const batchSize = 100;

/** Maximum concurrent requests. */
const requestsAtOnce = 4;

/** HTTP statuses of a busy endpoint, not of one without batches. */
const passingStatuses: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/** One call of a method. */
export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Result of a call in a batch, or why it failed. */
export type Outcome<T> = T | NodeError;

/** The JSON-RPC of an EVM node. Reads are retried after failures that may pass, such as no answer or a rate limit. */
export interface EvmRpc extends JsonRpc {
  /**
   * Applies `read` to the results of many calls, each as it arrives, because they may be larger than memory. Results
   * are in the order of the calls, which are sent in batches, a few at a time. A refusal replaces its result, as does
   * the failure of a call whose own answer is too slow or too large.
   *
   * @throws NodeError `NODE_UNREACHABLE` if the node does not answer, `NODE_BAD_RESPONSE` for a result that `read`
   * rejects; the signal's reason when aborted.
   */
  readonly readAll: <C extends RpcCall, T>(
    calls: readonly C[],
    read: ReadResult<C, T>,
    signal: AbortSignal,
  ) => Promise<readonly Outcome<T>[]>;
  /** `read` for an answer with long lists, which are read element by element. */
  readonly readLists: <E, T>(call: RpcCall, how: ListRead<E, T>, signal: AbortSignal) => Promise<T>;
}

type ReadResult<C, T> = (answer: Answer, call: C) => T;

/** The outcome of a call in a batch; undefined if it has to be sent alone. */
type Settled<T> = { readonly outcome: Outcome<T> } | undefined;

/**
 * Connects to the JSON-RPC of an EVM node.
 *
 * @throws InputError `CONFIG_INVALID` if the text is not an http or https URL.
 */
export function openEvmRpc(jsonRpcUrl: string, { patienceMs = defaultPatienceMs }: NodePatience = {}): EvmRpc {
  const title = "JSON-RPC URL";
  const isFinal = (error: NodeError): boolean => !isTransient(error);
  const rpc = openJsonRpc(jsonRpcUrl, { title, patienceMs, timeoutMs, maxBytes, isFinal });
  const endpoint = parseEndpoint(jsonRpcUrl, title);
  const retry = { endpoint: endpoint.shown, isFinal, patienceMs };
  const readLists: EvmRpc["readLists"] = (call, how, signal) =>
    retryRead(() => callForLists(endpoint, { ...call, timeoutMs: blockTimeoutMs, signal }, how), { ...retry, signal });
  const alone = async <C extends RpcCall, T>(
    call: C,
    read: ReadResult<C, T>,
    signal: AbortSignal,
  ): Promise<Outcome<T>> => {
    try {
      return await rpc.read(call.method, call.params, (answer) => read(answer, call), signal);
    } catch (error) {
      const isRefused = error instanceof RpcError && !isTransient(error);
      if (isRefused || (isUnreadable(error) && !(error instanceof UnreadableAnswer))) return error;
      throw error;
    }
  };
  let takesBatches = true;
  const width = new BatchWidth(batchSize);
  /** One for each call; undefined for the whole batch if its answer is too large or too slow. */
  const together = async <C extends RpcCall, T>(
    calls: readonly C[],
    read: ReadResult<C, T>,
    signal: AbortSignal,
  ): Promise<readonly Settled<T>[] | undefined> => {
    const attempt = async () => readBatch(await sendBatch(endpoint, calls, signal), endpoint, { calls, read });
    try {
      const answers = await retryRead(attempt, { ...retry, signal });
      if (answers === undefined) takesBatches = false;
      else width.answered(calls.length);
      return answers ?? calls.map(() => undefined);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      width.tooMuch(calls.length);
      return undefined;
    }
  };
  const readAll = async <C extends RpcCall, T>(
    calls: readonly C[],
    read: ReadResult<C, T>,
    signal: AbortSignal,
  ): Promise<readonly Outcome<T>[]> => {
    const outcomes: Outcome<T>[] = [];
    const settle = async (from: number, to: number): Promise<void> => {
      const part = calls.slice(from, to);
      const batch = part.length > 1 && takesBatches ? await together(part, read, signal) : [];
      if (batch === undefined) {
        const middle = from + Math.ceil(part.length / 2);
        await settle(from, middle);
        await settle(middle, to);
        return;
      }
      for (const [index, call] of part.entries()) {
        // Open calls of a batch are sent alone: nodes limit the size of a batch's answer and report it in its calls.
        const { outcome } = batch[index] ?? { outcome: await alone(call, read, signal) };
        outcomes[from + index] = outcome;
      }
    };
    let next = 0;
    let isOver = false;
    const work = async (): Promise<void> => {
      while (next < calls.length && !isOver) {
        const from = next;
        next = Math.min(calls.length, from + (takesBatches ? width.value : 1));
        try {
          await settle(from, next);
        } catch (error) {
          isOver = true;
          throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: requestsAtOnce }, work));
    return outcomes;
  };
  return { ...rpc, readAll, readLists };
}

/** The results of calls, none of them refused. @throws the first NodeError among them. */
export function allGiven<T>(outcomes: readonly Outcome<T>[]): readonly T[] {
  return outcomes.map((outcome) => {
    if (outcome instanceof NodeError) throw outcome;
    return outcome;
  });
}

function sendBatch(endpoint: HttpEndpoint, calls: readonly RpcCall[], signal: AbortSignal): Promise<HttpAnswer> {
  return exchange(endpoint, {
    url: endpoint.at(""),
    title: "a batch of calls",
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(calls.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params }))),
    timeoutMs,
    maxBytes,
    signal,
  });
}

/**
 * The outcomes of a batch's calls by index; undefined if the endpoint does not support batches. An unreadable result is
 * left open.
 */
function readBatch<C extends RpcCall, T>(
  { status, text, json }: HttpAnswer,
  endpoint: HttpEndpoint,
  { calls, read }: { readonly calls: readonly C[]; readonly read: ReadResult<C, T> },
): readonly Settled<T>[] | undefined {
  if (!Array.isArray(json)) {
    if (passingStatuses.has(status)) {
      throw new HttpStatusError(endpoint.shown, status, endpoint.hide(text.slice(0, 200)));
    }
    const error = isObject(json) ? json["error"] : undefined;
    const refusal = isObject(error) ? readRpcError(endpoint, "a batch of calls", error) : undefined;
    if (refusal !== undefined && (isTransient(refusal) || isBehind(refusal))) throw refusal;
    return undefined;
  }
  const settled: Settled<T>[] = calls.map(() => undefined);
  for (const entry of json) {
    const answer: unknown = entry;
    if (!isObject(answer)) continue;
    const { id, result, error } = answer;
    const call = typeof id === "number" ? calls[id] : undefined;
    if (typeof id !== "number" || call === undefined) continue;
    const source = { endpoint: endpoint.shown, title: call.method, hide: endpoint.hide };
    const refusal = isObject(error) ? readRpcError(endpoint, call.method, error) : undefined;
    if (refusal !== undefined) settled[id] = isFaultOfBatch(refusal) ? undefined : { outcome: refusal };
    else if (result !== undefined) settled[id] = settleAnswer(new Answer(source, result), call, read);
  }
  return settled;
}

function settleAnswer<C extends RpcCall, T>(answer: Answer, call: C, read: ReadResult<C, T>): Settled<T> {
  try {
    return { outcome: read(answer, call) };
  } catch (error) {
    if (error instanceof UnreadableAnswer) return undefined;
    throw error;
  }
}

/** geth and minievm fill the calls that no longer fit into a batch's answer with -32003, "response too large". */
function isFaultOfBatch(refusal: RpcError): boolean {
  const isOfSize = refusal.rpcCode === -32003 || /batch|response too large/i.test(refusal.details ?? "");
  return isOfSize || isTransient(refusal) || isBehind(refusal);
}

/** Answered full batches in a row before the width doubles. */
const batchesBeforeWidening = 8;

/** Number of calls in a batch: fewer after an answer that was too large or too slow, more again after a while. */
export class BatchWidth {
  readonly #widest: number;
  #value: number;
  #answered = 0;

  constructor(widest: number) {
    this.#widest = widest;
    this.#value = widest;
  }

  get value(): number {
    return this.#value;
  }

  /** A batch of this many calls was answered. */
  answered(calls: number): void {
    if (calls < this.#value) return;
    this.#answered += 1;
    if (this.#answered < batchesBeforeWidening) return;
    this.#answered = 0;
    this.#value = Math.min(this.#widest, this.#value * 2);
  }

  /**
   * The answer to this many calls could not be read. A batch narrower than allowed proves nothing: a few calls can have
   * large answers. Two stay one batch, so that wider ones are tried again.
   */
  tooMuch(calls: number): void {
    this.#answered = 0;
    if (calls >= this.#value) this.#value = Math.max(2, Math.floor(this.#value / 2));
  }
}
