import type { VipError } from "@vipscore/core";
import {
  callJsonRpc,
  exchange,
  HttpStatusError,
  isBehind,
  isObject,
  parseEndpoint,
  readRefusal,
  retryRead,
  type HttpAnswer,
  type HttpEndpoint,
  type JsonRpcRefusal,
} from "@vipscore/core/http";
import { callForLists } from "../callForLists.ts";
import type { JsonLists, ListChoice } from "../jsonLists.ts";
import { isUnreadable } from "../unreadable.ts";
import { BatchWidth } from "./batchWidth.ts";
import { isPassing, RpcRefusal, UnreadAnswer } from "./rpcRefusal.ts";

/** How long one read is repeated, in milliseconds: the follower has a patience of its own, and reports what it waits for. */
const patienceMs = 3_000;

/** How long one attempt may take, in milliseconds. */
const timeoutMs = 15_000;

/** How long a node may need to begin the answer about one full block, and between its chunks, in milliseconds. */
const blockTimeoutMs = 60_000;

/** Largest answer that is read as a whole, in bytes: the logs of many blocks, or the texts of a batch of calls. */
const maxBytes = 16_777_216;

/** Calls in one HTTP request. geth and minievm take 1,000 at once (`DefaultBatchRequestLimit`), public endpoints often 100. */
const batchSize = 100;

/** Requests under way at once. */
const requestsAtOnce = 4;

/** HTTP statuses that say that the endpoint is busy, not that it takes no batches. */
const passingStatuses: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/** One call of a method. */
export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** The JSON-RPC of an EVM node, for reads. */
export interface EvmRpc {
  /** Where requests go, without credentials; for messages. */
  readonly endpoint: string;
  /**
   * The result of one call; repeated a few times with growing pauses when the endpoint or the network fails.
   *
   * @throws RpcRefusal when the node answers with an error object; NodeError `NODE_UNREACHABLE` when it does not answer,
   * `NODE_BAD_RESPONSE` when it answers something else or too much; the signal's reason when aborted.
   */
  readonly request: (method: string, params: readonly unknown[], signal: AbortSignal) => Promise<unknown>;
  /**
   * The results of many calls in their order, asked in batches, a few at a time. A refusal takes the place of its result, and
   * an UnreadAnswer that of one which is too slow or too large on its own.
   *
   * @throws as {@link EvmRpc.request}, except for RpcRefusal.
   */
  readonly requestAll: (calls: readonly RpcCall[], signal: AbortSignal) => Promise<readonly unknown[]>;
  /** What `read` makes of the results of {@link EvmRpc.requestAll}, each as it comes: the results may be larger than the memory. */
  readonly readAll: <T>(
    calls: readonly RpcCall[],
    read: (answer: unknown, index: number) => T,
    signal: AbortSignal,
  ) => Promise<readonly T[]>;
  /** The result of one call with long lists, which are read element by element. @throws as {@link EvmRpc.request}. */
  readonly requestLists: <T>(call: RpcCall, choice: ListChoice<T>, signal: AbortSignal) => Promise<JsonLists<T>>;
}

/**
 * Connects to the JSON-RPC of an EVM node.
 *
 * @throws InputError `CONFIG_INVALID` when the text is not an http or https URL.
 */
export function openEvmRpc(jsonRpcUrl: string): EvmRpc {
  const endpoint = parseEndpoint(jsonRpcUrl, "JSON-RPC URL");
  const retry = { endpoint: endpoint.shown, isPassing, patienceMs };
  const refuseFor = (method: string) => (refusal: JsonRpcRefusal) => new RpcRefusal(endpoint.shown, method, refusal);
  const request: EvmRpc["request"] = (method, params, signal) => {
    const call = { method, params, timeoutMs, maxBytes, signal, refuse: refuseFor(method) };
    return retryRead(() => callJsonRpc(endpoint, call), { ...retry, signal });
  };
  const requestLists: EvmRpc["requestLists"] = ({ method, params }, choice, signal) => {
    const call = { method, params, timeoutMs: blockTimeoutMs, signal, refuse: refuseFor(method), choice };
    return retryRead(() => callForLists(endpoint, call), { ...retry, signal });
  };
  const alone = async ({ method, params }: RpcCall, signal: AbortSignal): Promise<unknown> => {
    try {
      return await request(method, params, signal);
    } catch (error) {
      if (error instanceof RpcRefusal && !isPassing(error)) return error;
      if (!isTooMuch(error)) throw error;
      return new UnreadAnswer(endpoint.shown, method, { message: error.shortMessage });
    }
  };
  let takesBatches = true;
  const width = new BatchWidth(batchSize);
  /**
   * As many results as calls, undefined for those that have to be asked on their own; undefined instead of all of them where
   * their answer is too large or too slow.
   */
  const together = async (calls: readonly RpcCall[], signal: AbortSignal): Promise<readonly unknown[] | undefined> => {
    const attempt = async () => batchOf(await sendBatch(endpoint, calls, signal), endpoint, calls);
    try {
      const answers = await retryRead(attempt, { ...retry, signal });
      if (answers === undefined) takesBatches = false;
      else width.answered(calls.length);
      return answers ?? calls.map(() => undefined);
    } catch (error) {
      if (!isTooMuch(error)) throw error;
      width.tooMuch(calls.length);
      return undefined;
    }
  };
  const readAll: EvmRpc["readAll"] = async <T>(
    calls: readonly RpcCall[],
    read: (answer: unknown, index: number) => T,
    signal: AbortSignal,
  ) => {
    const results: T[] = [];
    const settle = async (from: number, to: number): Promise<void> => {
      const part = calls.slice(from, to);
      const answers = part.length > 1 && takesBatches ? await together(part, signal) : part.map(() => undefined);
      if (answers === undefined) {
        const middle = from + Math.ceil(part.length / 2);
        await settle(from, middle);
        await settle(middle, to);
        return;
      }
      for (const [index, call] of part.entries()) {
        // What a batch left open is asked again on its own: nodes bound the size of a batch's answer and say so in its calls.
        const answer = answers[index] === undefined ? await alone(call, signal) : answers[index];
        results[from + index] = read(answer, from + index);
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
    return results;
  };
  const requestAll: EvmRpc["requestAll"] = (calls, signal) => readAll(calls, (answer) => answer, signal);
  return { endpoint: endpoint.shown, request, requestAll, readAll, requestLists };
}

/** True where fewer calls at once may be answered. A refusal is an answer. */
function isTooMuch(error: unknown): error is VipError {
  return !(error instanceof RpcRefusal) && isUnreadable(error);
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

function refusalOf(error: Readonly<Record<string, unknown>>, endpoint: HttpEndpoint, method: string): RpcRefusal {
  return new RpcRefusal(endpoint.shown, method, readRefusal(endpoint, error));
}

/**
 * The results of a batch by their place, undefined for a call that has to be asked on its own; undefined instead of all of
 * them where the endpoint takes no batches.
 */
function batchOf(
  { status, text, json }: HttpAnswer,
  endpoint: HttpEndpoint,
  calls: readonly RpcCall[],
): readonly unknown[] | undefined {
  if (!Array.isArray(json)) {
    if (passingStatuses.has(status)) {
      throw new HttpStatusError(endpoint.shown, status, endpoint.hide(text.slice(0, 200)));
    }
    const error = isObject(json) ? json["error"] : undefined;
    const refusal = isObject(error) ? refusalOf(error, endpoint, "a batch of calls") : undefined;
    if (refusal !== undefined && (isPassing(refusal) || isBehind(refusal))) throw refusal;
    return undefined;
  }
  const results: unknown[] = calls.map(() => undefined);
  for (const entry of json) {
    const answer: unknown = entry;
    if (!isObject(answer)) continue;
    const { id, result, error } = answer;
    const call = typeof id === "number" ? calls[id] : undefined;
    if (typeof id !== "number" || call === undefined) continue;
    const refusal = isObject(error) ? refusalOf(error, endpoint, call.method) : undefined;
    results[id] = refusal === undefined ? result : isFaultOfBatch(refusal) ? undefined : refusal;
  }
  return results;
}

/** geth and minievm fill the calls that no longer fit into a batch's answer with -32003, "response too large". */
function isFaultOfBatch(refusal: RpcRefusal): boolean {
  const isOfSize = refusal.rpcCode === -32003 || /batch|response too large/i.test(refusal.details ?? "");
  return isOfSize || isPassing(refusal) || isBehind(refusal);
}
