import { callJsonRpc, parseEndpoint, retryRead } from "@vipscore/core/http";
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
  return {
    endpoint: endpoint.shown,
    request(method: string, params: readonly unknown[], { signal, attempts }: JsonRpcOptions): Promise<unknown> {
      const refuse = (refusal: object): RpcError => new RpcError(endpoint.shown, method, refusal);
      const run = () => callJsonRpc(endpoint, { method, params, timeoutMs, maxBytes, signal, refuse });
      return attempts === "once" ? run() : retryRead(run, { endpoint: endpoint.shown, isPassing, signal });
    },
  };
}
