import { VipError } from "@vipscore/core";
import {
  callJsonRpc,
  exchange,
  HttpStatusError,
  isObject,
  parseEndpoint,
  readRefusal,
  retryRead,
  type HttpAnswer,
  type HttpEndpoint,
  type JsonRpcRefusal,
} from "@vipscore/core/http";
import { inParallel } from "../inParallel.ts";
import { isPassing, RpcRefusal } from "./rpcRefusal.ts";

/** How long one read is repeated, in milliseconds: the follower has a patience of its own, and reports what it waits for. */
const patienceMs = 3_000;

/** How long one attempt may take, in milliseconds. */
const timeoutMs = 15_000;

/** Largest answer that is read, in bytes: the logs of 250 blocks, or the texts of a batch of calls. */
const maxBytes = 67_108_864;

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
   * The results of many calls in their order, asked in batches, a few at a time. A refusal takes the place of its result.
   *
   * @throws as {@link EvmRpc.request}, except for RpcRefusal.
   */
  readonly requestAll: (calls: readonly RpcCall[], signal: AbortSignal) => Promise<readonly unknown[]>;
}

/**
 * Connects to the JSON-RPC of an EVM node.
 *
 * @throws InputError `CONFIG_INVALID` when the text is not an http or https URL.
 */
export function openEvmRpc(jsonRpcUrl: string): EvmRpc {
  const endpoint = parseEndpoint(jsonRpcUrl, "JSON-RPC URL");
  const request: EvmRpc["request"] = (method, params, signal) => {
    const refuse = (refusal: JsonRpcRefusal): RpcRefusal => new RpcRefusal(endpoint.shown, method, refusal);
    const attempt = () => callJsonRpc(endpoint, { method, params, timeoutMs, maxBytes, signal, refuse });
    return retryRead(attempt, { endpoint: endpoint.shown, isPassing, signal, patienceMs });
  };
  const alone = async ({ method, params }: RpcCall, signal: AbortSignal): Promise<unknown> => {
    try {
      return await request(method, params, signal);
    } catch (error) {
      if (error instanceof RpcRefusal && !isPassing(error)) return error;
      throw error;
    }
  };
  let takesBatches = true;
  /** As many results as calls; undefined for those that have to be asked on their own. */
  const together = async (calls: readonly RpcCall[], signal: AbortSignal): Promise<readonly unknown[]> => {
    const open = calls.map(() => undefined);
    const attempt = async () => batchOf(await sendBatch(endpoint, calls, signal), endpoint, calls);
    try {
      const answers = await retryRead(attempt, { endpoint: endpoint.shown, isPassing, signal, patienceMs });
      if (answers === undefined) takesBatches = false;
      return answers ?? open;
    } catch (error) {
      if (VipError.isVipError(error) && error.code === "NODE_BAD_RESPONSE") return open;
      throw error;
    }
  };
  const requestAll: EvmRpc["requestAll"] = async (calls, signal) => {
    const batches = takesBatches && calls.length > 1 ? split(calls, batchSize) : [];
    const results = (await inParallel(batches, requestsAtOnce, (batch) => together(batch, signal))).flat();
    // What a batch left open is asked again on its own: nodes bound the size of a batch's answer and say so in its calls.
    const open = calls.flatMap((call, index) => (results[index] === undefined ? [{ call, index }] : []));
    await inParallel(open, requestsAtOnce, async ({ call, index }) => {
      results[index] = await alone(call, signal);
    });
    return results;
  };
  return { endpoint: endpoint.shown, request, requestAll };
}

function split<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
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
    if (refusal !== undefined && isPassing(refusal)) throw refusal;
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
  return refusal.rpcCode === -32003 || isPassing(refusal) || /batch|response too large/i.test(refusal.details ?? "");
}
