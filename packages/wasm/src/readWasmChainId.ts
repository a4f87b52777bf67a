import { CheckError } from "@vipscore/core";
import { openComet, type CometRpc } from "./cometRpc.ts";

export interface ReadWasmChainIdParameters {
  /** CometBFT RPC endpoint of the rollup, e.g. `http://127.0.0.1:26657`. */
  readonly rpcUrl: string;
  /** Refuse an endpoint of any other chain. */
  readonly expectedChainId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The id of the chain that an endpoint serves, e.g. `miniwasm-2`.
 *
 * @throws CheckError `CHAIN_MISMATCH` when another chain is expected; InputError `CONFIG_INVALID` for a URL that is none;
 * NodeError when the endpoint fails.
 * @example
 * const chainId = await readWasmChainId({ rpcUrl: "http://127.0.0.1:26657" });
 */
export async function readWasmChainId(parameters: ReadWasmChainIdParameters): Promise<string> {
  return checkChainId(openComet(parameters.rpcUrl), parameters);
}

/** {@link readWasmChainId} on a connection that is open already. */
export async function checkChainId(
  comet: CometRpc,
  { expectedChainId, signal }: Pick<ReadWasmChainIdParameters, "expectedChainId" | "signal">,
): Promise<string> {
  const { nodeInfo } = await comet.read("status", (client) => client.status(), signal);
  const { network: chainId } = nodeInfo;
  if (expectedChainId === undefined || chainId === expectedChainId) return chainId;
  throw new CheckError(`${comet.endpoint} serves chain "${chainId}", expected is "${expectedChainId}"`, {
    code: "CHAIN_MISMATCH",
    metaMessages: ["Check the RPC URL and the chain id of the rollup."],
  });
}
