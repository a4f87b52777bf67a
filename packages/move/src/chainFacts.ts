import { InputError } from "@vipscore/core";
import { openJsonRpc, openRest, restOverRpc, type RestClient } from "@vipscore/core/wire";
import { checkChainId } from "@vipscore/cosmos";

/** An endpoint of the rollup: one of the two. */
export interface MoveEndpoint {
  /** CometBFT RPC, e.g. `http://127.0.0.1:26657`. */
  readonly rpcUrl?: string | undefined;
  /** REST, e.g. `http://127.0.0.1:1317`. */
  readonly restUrl?: string | undefined;
}

export interface ReadMoveChainIdParameters extends MoveEndpoint {
  /** Refuse an endpoint of any other chain. */
  readonly expectedChainId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the id of the chain that an endpoint serves, e.g. `minimove-2`.
 *
 * @throws VipError `CHAIN_MISMATCH` when another chain is expected; InputError `CONFIG_INVALID` for an invalid URL;
 * NodeError when the endpoint fails.
 * @example
 * const chainId = await readMoveChainId({ rpcUrl: "http://127.0.0.1:26657" });
 */
export async function readMoveChainId(parameters: ReadMoveChainIdParameters): Promise<string> {
  return checkChainId(openNode(parameters), parameters);
}

/** Opens the endpoint: both interfaces serve the same reads. @throws InputError `CONFIG_INVALID` for none, two or a wrong URL. */
export function openNode({ rpcUrl, restUrl }: MoveEndpoint): RestClient {
  if (rpcUrl !== undefined && restUrl === undefined) return restOverRpc(openJsonRpc(rpcUrl));
  if (restUrl !== undefined && rpcUrl === undefined) return openRest(restUrl);
  throw new InputError("a connection takes one endpoint, rpcUrl or restUrl", { code: "CONFIG_INVALID" });
}
