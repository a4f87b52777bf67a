import { NodeError } from "@vipscore/core";
import { orAborted, requireChainId } from "@vipscore/core/engine";
import {
  Answer,
  isCommitted,
  isObject,
  MonotonicHeight,
  openJsonRpc,
  retryRead,
  RpcError,
  type JsonRpc,
  type TransactionSender,
} from "@vipscore/core/wire";

/** An EIP-1193 provider, such as an in-process Hardhat network. */
export interface EvmProvider {
  /** Takes `{ method, params }`. Libraries type the methods that they know, viem each one, so no common type of it is possible. */
  request: (request: never) => Promise<unknown>;
}

export function requestOf(
  provider: EvmProvider,
  method: string,
  params: readonly unknown[] | object,
): Promise<unknown> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the form of EIP-1193, which no two libraries type alike
  return provider.request({ method, params } as never);
}

/** Connection to the chain: an HTTP URL, or an EIP-1193 provider such as an in-process Hardhat network. */
export type EvmEndpoint =
  | { readonly rpcUrl: string; readonly provider?: undefined }
  | { readonly provider: EvmProvider; readonly rpcUrl?: undefined };

export function openRpc(endpoint: EvmEndpoint): JsonRpc {
  return endpoint.provider === undefined ? openJsonRpc(endpoint.rpcUrl) : providerRpc(endpoint.provider);
}

/** JSON-RPC through an EIP-1193 provider. */
export function providerRpc(provider: EvmProvider): JsonRpc {
  const endpoint = "the given provider";
  const ask = async (method: string, params: unknown, signal: AbortSignal | undefined): Promise<unknown> => {
    signal?.throwIfAborted();
    try {
      // A provider has no way to cancel a request.
      return await orAborted(requestOf(provider, method, params ?? []), signal);
    } catch (error) {
      signal?.throwIfAborted();
      // EIP-1193 errors have a numeric code; anything else comes from the transport.
      if (isObject(error) && typeof error["code"] === "number") throw new RpcError(endpoint, method, error);
      const details = error instanceof Error ? error.message : String(error);
      throw new NodeError(`${endpoint} does not answer: ${details}`, { code: "NODE_UNREACHABLE", details });
    }
  };
  const send: JsonRpc["send"] = async (method, params, read, signal) =>
    read(new Answer({ endpoint, title: method }, await ask(method, params, signal)));
  return {
    endpoint,
    read: (method, params, read, signal) => retryRead(() => send(method, params, read, signal), { endpoint, signal }),
    send,
  };
}

/** The block heights of a connection whose state is committed. `sent` are the transactions that it sent, by hash. */
export function openHeights(rpc: JsonRpc, sent?: ReadonlyMap<string, TransactionSender>): MonotonicHeight {
  let committed = 0n;
  return new MonotonicHeight(rpc.endpoint, async (signal) => {
    const newest = await rpc.read("eth_blockNumber", [], (answer) => answer.quantity(), signal);
    if (newest <= committed) return newest;
    if (!(await isCommitted(rpc, newest, signal, sent))) return newest - 1n;
    committed = newest;
    return newest;
  });
}

export type ReadEvmChainIdParameters = EvmEndpoint & {
  /** Refuse an endpoint of any other chain. */
  readonly expectedChainId?: bigint | undefined;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Reads the id of the chain that an endpoint serves.
 *
 * @throws VipError `CHAIN_MISMATCH` when another chain is expected; InputError `CONFIG_INVALID` for an invalid URL;
 * NodeError when the endpoint fails.
 * @example
 * const chainId = await readEvmChainId({ rpcUrl: "http://127.0.0.1:8545" });
 */
export function readEvmChainId(parameters: ReadEvmChainIdParameters): Promise<bigint> {
  return checkChainId(openRpc(parameters), parameters);
}

/** {@link readEvmChainId} on an open connection. */
export async function checkChainId(
  rpc: JsonRpc,
  { expectedChainId, signal }: Pick<ReadEvmChainIdParameters, "expectedChainId" | "signal">,
): Promise<bigint> {
  const chainId = await rpc.read("eth_chainId", [], (answer) => answer.quantity(), signal);
  return requireChainId({ endpoint: rpc.endpoint, chainId }, expectedChainId);
}
