import { openJsonRpc, restOverRpc } from "@vipscore/core/wire";
import { checkChainId } from "@vipscore/cosmos";

export interface ReadWasmChainIdParameters {
  /** CometBFT RPC endpoint of the rollup, e.g. `http://127.0.0.1:26657`. */
  readonly rpcUrl: string;
  /** Refuse an endpoint of any other chain. */
  readonly expectedChainId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the id of the chain that an endpoint serves, e.g. `miniwasm-2`.
 *
 * @throws VipError `CHAIN_MISMATCH` when another chain is expected; InputError `CONFIG_INVALID` for an invalid URL;
 * NodeError when the endpoint fails.
 * @example
 * const chainId = await readWasmChainId({ rpcUrl: "http://127.0.0.1:26657" });
 */
export async function readWasmChainId(parameters: ReadWasmChainIdParameters): Promise<string> {
  return checkChainId(restOverRpc(openJsonRpc(parameters.rpcUrl)), parameters);
}
