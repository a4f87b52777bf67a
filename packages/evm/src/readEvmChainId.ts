import { CheckError } from "@vipscore/core";
import type { JsonRpc } from "@vipscore/core/wire";
import { openRpc, type EvmEndpoint } from "./openRpc.ts";

export type ReadEvmChainIdParameters = EvmEndpoint & {
  /** Refuse an endpoint of any other chain. */
  readonly expectedChainId?: bigint | undefined;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Reads the id of the chain that an endpoint serves.
 *
 * @throws CheckError `CHAIN_MISMATCH` when another chain is expected; InputError `CONFIG_INVALID` for an invalid URL;
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
  if (expectedChainId === undefined || chainId === expectedChainId) return chainId;
  throw new CheckError(`${rpc.endpoint} serves chain ${chainId}, expected chain ${expectedChainId}`, {
    code: "CHAIN_MISMATCH",
    metaMessages: ["Check the RPC URL and the chain id of the rollup."],
  });
}
