import { requireChainId, requireTxIndex } from "@vipscore/core/engine";
import { isMissingRoute, MonotonicHeight, undefinedIf, type Answer, type RestClient } from "@vipscore/core/wire";

/** What {@link checkChainId} requires of a chain. */
export interface RequiredChain {
  /** Refuse an endpoint of any other chain. */
  readonly expectedChainId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** True before a deployment, which needs the receipts of its transactions. Default: false. */
  readonly needsReceipts?: boolean;
}

/**
 * Reads the id of the chain that an endpoint serves.
 *
 * @throws VipError `CHAIN_MISMATCH` when another chain is expected, `TX_INDEX_OFF`; NodeError when the endpoint fails.
 */
export async function checkChainId(
  rest: RestClient,
  { expectedChainId, signal, needsReceipts = false }: RequiredChain,
): Promise<string> {
  const path = "/cosmos/base/tendermint/v1beta1/node_info";
  const read = (answer: Answer): string => {
    const info = answer.field("default_node_info");
    if (needsReceipts) requireTxIndex(rest.endpoint, info);
    const network = info.field("network");
    return network.text() || network.unreadable("a chain id");
  };
  const chainId = await rest.get(path, read, { signal });
  return requireChainId({ endpoint: rest.endpoint, chainId }, expectedChainId);
}

export function openHeights(rest: RestClient): MonotonicHeight {
  return new MonotonicHeight(rest.endpoint, (signal) => readHeight(rest, signal));
}

/** Reads the newest height whose state is committed. */
async function readHeight(rest: RestClient, signal: AbortSignal | undefined): Promise<bigint> {
  const read = (answer: Answer): bigint => {
    const height = answer.field("height");
    const last = height.u64();
    return last > 0n ? last : height.unreadable("the height of a block");
  };
  // A block of a push has megabytes of transactions: read the height without the block.
  const height = await undefinedIf(isMissingRoute, rest.get("/cosmos/base/node/v1beta1/status", read, { signal }));
  if (height !== undefined) return height;
  const path = "/cosmos/base/tendermint/v1beta1/blocks/latest";
  return rest.get(path, (answer) => read(answer.field("block").field("header")), { signal });
}

/** Reads the block gas limit; undefined if the chain has none or does not report it. */
export function readBlockGas(rest: RestClient, signal: AbortSignal | undefined): Promise<bigint | undefined> {
  const read = (answer: Answer): bigint | undefined => {
    const field = answer.optional("params")?.optional("block")?.optional("max_gas");
    return field === undefined || /^(-1|0)$/.test(field.text()) ? undefined : field.u64();
  };
  return undefinedIf(isMissingRoute, rest.get("/cosmos/consensus/v1/params", read, { signal }));
}
