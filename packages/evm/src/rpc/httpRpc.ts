import { NodeError } from "@vipscore/core";
import {
  exchange,
  HttpStatusError,
  isObject,
  parseEndpoint,
  retryRead,
  type HttpAnswer,
  type HttpEndpoint,
} from "@vipscore/core/http";
import { isPassing, RpcError, type JsonRpc, type JsonRpcOptions } from "./jsonRpc.ts";

/** How long one attempt may take, in milliseconds: a large `eth_call` on a busy node takes several seconds. */
const defaultTimeoutMs = 30_000;

/** Largest answer that is read; a page of scores has about 0.2 MB. */
const maxBytes = 33_554_432;

/**
 * JSON-RPC over HTTP or HTTPS.
 *
 * @throws InputError `CONFIG_INVALID` when the text is not an http or https URL.
 */
export function httpRpc(rpcUrl: string, timeoutMs = defaultTimeoutMs): JsonRpc {
  const endpoint = parseEndpoint(rpcUrl, "RPC URL");
  const headers = { "content-type": "application/json" };
  let nextId = 1;
  const attempt = async (method: string, params: readonly unknown[], signal: AbortSignal | undefined) => {
    const id = nextId++;
    const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    const request = {
      url: endpoint.at(""),
      title: method,
      method: "POST",
      headers,
      body,
      timeoutMs,
      maxBytes,
    } as const;
    return resultOf(await exchange(endpoint, { ...request, signal }), { endpoint, method, id });
  };
  return {
    endpoint: endpoint.shown,
    request(method: string, params: readonly unknown[], { signal, attempts }: JsonRpcOptions): Promise<unknown> {
      const run = () => attempt(method, params, signal);
      return attempts === "once" ? run() : retryRead(run, { isPassing, signal });
    },
  };
}

/** What was asked. */
interface Asked {
  readonly endpoint: HttpEndpoint;
  readonly method: string;
  readonly id: number;
}

function resultOf({ status, text, json }: HttpAnswer, { endpoint, method, id }: Asked): unknown {
  const { shown, hide } = endpoint;
  const answer = isObject(json) ? json : undefined;
  // Some providers send the error object with an HTTP status of its own; a limit stays a limit either way.
  const error = answer?.["error"];
  if (isObject(error) && status !== 429) {
    const { code, message, data } = error;
    throw new RpcError(shown, method, { code, message: typeof message === "string" ? hide(message) : "", data });
  }
  const excerpt = hide(text.slice(0, 200));
  if (status < 200 || status > 299) throw new HttpStatusError(shown, status, excerpt);
  if (answer?.["result"] === undefined || answer["id"] !== id) {
    const kind = /^\s*</.test(text) ? "a web page" : "something else";
    throw new NodeError(`${shown} answered ${method} with ${kind}, not JSON-RPC; is it the RPC URL of the rollup?`, {
      code: "NODE_BAD_RESPONSE",
      details: excerpt,
    });
  }
  return answer["result"];
}
