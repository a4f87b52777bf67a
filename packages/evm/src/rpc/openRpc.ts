import { openJsonRpc, type JsonRpc } from "@vipscore/core/wire";
import { providerRpc, type EvmProvider } from "./providerRpc.ts";

/** How to reach the chain: an HTTP URL, or an EIP-1193 provider such as an in-process Hardhat network. */
export type EvmEndpoint =
  | { readonly rpcUrl: string; readonly provider?: undefined }
  | { readonly provider: EvmProvider; readonly rpcUrl?: undefined };

/**
 * Opens a JSON-RPC connection to an endpoint.
 *
 * @throws InputError `CONFIG_INVALID` for an invalid URL.
 */
export function openRpc(endpoint: EvmEndpoint): JsonRpc {
  return endpoint.provider === undefined ? openJsonRpc(endpoint.rpcUrl) : providerRpc(endpoint.provider);
}
