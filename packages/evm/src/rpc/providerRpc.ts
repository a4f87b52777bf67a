import { NodeError } from "@vipscore/core";
import { isObject, retryRead } from "@vipscore/core/http";
import { isPassing, RpcError, type JsonRpc, type JsonRpcOptions } from "./jsonRpc.ts";

/** An EIP-1193 provider, such as a Hardhat network in this process or a wallet. */
export interface EvmProvider {
  request(request: { readonly method: string; readonly params?: readonly unknown[] | object }): Promise<unknown>;
}

/** JSON-RPC through an EIP-1193 provider. */
export function providerRpc(provider: EvmProvider): JsonRpc {
  const endpoint = "the given provider";
  const attempt = async (method: string, params: readonly unknown[], signal: AbortSignal | undefined) => {
    signal?.throwIfAborted();
    try {
      return await untilAborted(provider.request({ method, params: [...params] }), signal);
    } catch (error) {
      signal?.throwIfAborted();
      // EIP-1193 errors carry a numeric code; anything else is the transport's.
      if (isObject(error) && typeof error["code"] === "number") throw new RpcError(endpoint, method, error);
      const details = error instanceof Error ? error.message : String(error);
      throw new NodeError(`${endpoint} does not answer: ${details}`, { code: "NODE_UNREACHABLE", details });
    }
  };
  return {
    endpoint,
    request(method: string, params: readonly unknown[], { signal, attempts }: JsonRpcOptions): Promise<unknown> {
      const run = () => attempt(method, params, signal);
      return attempts === "once" ? run() : retryRead(run, { endpoint, isPassing, signal });
    },
  };
}

/** A provider cannot be told to stop; an abort stops the waiting. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
