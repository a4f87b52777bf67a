import { JsonRpcFailure } from "@vipscore/localnet";

/** Calls the chain behind the double. */
export type UpstreamCall = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** Calls the JSON-RPC node at a URL; its error answers reject as JsonRpcFailure. */
export function connectUpstream(url: string): UpstreamCall {
  return async (method, params) => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as {
      readonly result?: unknown;
      readonly error?: { readonly code: number; readonly message: string };
    };
    if (error !== undefined) throw new JsonRpcFailure(error.code, error.message);
    return result;
  };
}
