import { requireChainId, requireTxIndex } from "@vipscore/core/engine";
import { MonotonicHeight, openJsonRpc, type Answer, type JsonRpc } from "@vipscore/core/wire";

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
  return checkChainId(openJsonRpc(parameters.rpcUrl), parameters);
}

/** {@link readWasmChainId} on an open connection. */
export async function checkChainId(
  comet: JsonRpc,
  {
    expectedChainId,
    signal,
    sends = false,
  }: Pick<ReadWasmChainIdParameters, "expectedChainId" | "signal"> & {
    /** True before transactions are sent, which the node has to index. */
    readonly sends?: boolean;
  },
): Promise<string> {
  const read = (answer: Answer): string => {
    const info = answer.field("node_info");
    if (sends) requireTxIndex(comet.endpoint, info);
    const network = info.field("network");
    return network.text() || network.unreadable("a chain id");
  };
  const chainId = await comet.read("status", {}, read, signal);
  return requireChainId({ endpoint: comet.endpoint, chainId, url: "RPC URL" }, expectedChainId);
}

/** The block heights of a connection to an endpoint. */
export function openHeights(comet: JsonRpc): MonotonicHeight {
  return new MonotonicHeight(comet.endpoint, (signal) => readHeight(comet, signal));
}

/**
 * Reads the newest height whose state is committed. `status` returns the height of the newest block, whose state may not
 * be committed yet.
 */
function readHeight(comet: JsonRpc, signal: AbortSignal | undefined): Promise<bigint> {
  return comet.read(
    "abci_info",
    {},
    (answer) => {
      const height = answer.field("response").field("last_block_height");
      const last = height.u64();
      return last > 0n ? last : height.unreadable("the height of a block");
    },
    signal,
  );
}
