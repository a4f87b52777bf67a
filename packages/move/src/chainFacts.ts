import { requireChainId, requireTxIndex } from "@vipscore/core/engine";
import {
  isMissingRoute,
  MonotonicHeight,
  openRest,
  undefinedIf,
  type Answer,
  type RestClient,
} from "@vipscore/core/wire";

export interface ReadMoveChainIdParameters {
  /** REST endpoint of the rollup, e.g. `http://127.0.0.1:1317`. */
  readonly restUrl: string;
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
 * const chainId = await readMoveChainId({ restUrl: "http://127.0.0.1:1317" });
 */
export function readMoveChainId(parameters: ReadMoveChainIdParameters): Promise<string> {
  return checkChainId(openRest(parameters.restUrl), parameters);
}

/** {@link readMoveChainId} on an open connection. */
export async function checkChainId(
  rest: RestClient,
  {
    expectedChainId,
    signal,
    sends = false,
  }: Pick<ReadMoveChainIdParameters, "expectedChainId" | "signal"> & {
    /** True before transactions are sent, which the node has to index. */
    readonly sends?: boolean;
  },
): Promise<string> {
  const path = "/cosmos/base/tendermint/v1beta1/node_info";
  const read = (answer: Answer): string => {
    const info = answer.field("default_node_info");
    if (sends) requireTxIndex(rest.endpoint, info);
    return info.field("network").text();
  };
  const chainId = await rest.get(path, read, { signal });
  return requireChainId({ endpoint: rest.endpoint, chainId, url: "REST URL" }, expectedChainId);
}

/** The block heights of a connection to an endpoint. */
export function openHeights(rest: RestClient): MonotonicHeight {
  return new MonotonicHeight(rest.endpoint, (signal) => readHeight(rest, signal));
}

/** Reads the newest height whose state is committed. */
async function readHeight(rest: RestClient, signal: AbortSignal | undefined): Promise<bigint> {
  // A block of a push has megabytes of transactions: read the height without the block.
  const asked = rest.get("/cosmos/base/node/v1beta1/status", (answer) => answer.field("height").u64(), { signal });
  const height = await undefinedIf(isMissingRoute, asked);
  if (height !== undefined) return height;
  const path = "/cosmos/base/tendermint/v1beta1/blocks/latest";
  return rest.get(path, (answer) => answer.field("block").field("header").field("height").u64(), { signal });
}
