import { callJsonRpc, parseEndpoint, patienceMs, retryRead, sendTimeoutMs } from "@vipscore/core/http";
import { isPassing, RpcError, type JsonRpc, type JsonRpcOptions } from "./jsonRpc.ts";

/** Largest answer that is read; a page of scores has about 0.2 MB. */
const maxBytes = 33_554_432;

/**
 * JSON-RPC over HTTP or HTTPS.
 *
 * @param forMs - How long failures that may pass are waited for, in milliseconds.
 * @throws InputError `CONFIG_INVALID` when the text is not an http or https URL.
 */
export function httpRpc(rpcUrl: string, forMs: number = patienceMs.outage): JsonRpc {
  const endpoint = parseEndpoint(rpcUrl, "RPC URL");
  return {
    endpoint: endpoint.shown,
    request(method: string, params: readonly unknown[], { signal, attempts }: JsonRpcOptions): Promise<unknown> {
      const refuse = (refusal: object): RpcError => new RpcError(endpoint.shown, method, refusal);
      const run = (timeoutMs: number) => callJsonRpc(endpoint, { method, params, timeoutMs, maxBytes, signal, refuse });
      if (attempts === "once") return run(sendTimeoutMs(forMs));
      return retryRead(run, { endpoint: endpoint.shown, isPassing, signal, patienceMs: forMs });
    },
  };
}
