import { openJsonRpc, type JsonRpc } from "@vipscore/core/wire";
import { providerRpc, type EvmProvider } from "./providerRpc.ts";

/** Where the chain is reached: an HTTP URL, or an EIP-1193 provider such as a Hardhat network in this process. */
export type EvmEndpoint =
  | { readonly rpcUrl: string; readonly provider?: undefined }
  | { readonly provider: EvmProvider; readonly rpcUrl?: undefined };

/**
 * The JSON-RPC connection to an endpoint.
 *
 * @throws InputError `CONFIG_INVALID` for an invalid URL.
 */
export function openRpc(endpoint: EvmEndpoint): JsonRpc {
  return endpoint.provider === undefined ? openJsonRpc(endpoint.rpcUrl) : providerRpc(endpoint.provider);
}
