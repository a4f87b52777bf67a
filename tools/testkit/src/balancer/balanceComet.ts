import { answerRpc, rpcOf, RpcRefusal, type CallMethod } from "../proxy/rpcCalls.ts";
import { startBalancer, type Balancer, type BalancerOptions } from "./startBalancer.ts";

/**
 * Balances CometBFT's JSON-RPC, by POST only, over replicas of one node, which must keep the state of past blocks.
 *
 * @example
 * await using endpoint = await balanceComet({ upstreamUrl, lagsMs: [0, 1000], seed: fuzzSeed() });
 */
export function balanceComet(options: BalancerOptions): Promise<Balancer> {
  const upstream = rpcOf(options.upstreamUrl);
  return startBalancer(options, {
    readHeight: async () => {
      const { response } = (await upstream("abci_info", {})) as { response: { last_block_height?: string } };
      // The field is omitted at height 0.
      return BigInt(response.last_block_height ?? 0);
    },
    answer: ({ body }, head) => answerRpc(body, cometReplica(upstream, head)),
  });
}

type Fields = Readonly<Record<string, unknown>>;

/** Methods with the same answer on all replicas, and broadcasts, which every replica gossips immediately. */
const sameEverywhere = new Set([
  "broadcast_tx_async",
  "broadcast_tx_sync",
  "consensus_params",
  "genesis",
  "health",
  "net_info",
]);

/** Methods that return one block; without a height, the head. */
const ofBlock = new Set(["block", "block_results", "commit", "validators"]);

/**
 * Imitates a node whose newest block is `head` with a node that is further: its pool is the upstream's, as if gossip took no
 * time, so the sequence that a refusal expects is the upstream's.
 *
 * Our choice: a simulation runs on the upstream's state, because it does not accept another height. Unsupported methods do not
 * exist.
 */
function cometReplica(upstream: CallMethod, head: bigint): CallMethod {
  const newest = head.toString();
  const isAbove = (height: unknown): boolean => BigInt(String(height)) > head;
  const heightOf = (params: Fields): string => {
    const height = (params["height"] ?? "0") as string | number;
    return BigInt(height) === 0n ? newest : String(height);
  };

  const query = async (params: Fields): Promise<unknown> => {
    const height = heightOf(params);
    return isAbove(height) ? { response: inFuture } : upstream("abci_query", { ...params, height });
  };
  const block = async (method: string, params: Fields): Promise<unknown> => {
    const height = heightOf(params);
    if (!isAbove(height)) return upstream(method, { ...params, height });
    // CometBFT 0.38, rpc/core/env.go.
    return fail(`height ${height} must be less than or equal to the current blockchain height ${head}`);
  };
  const transaction = async (params: Fields): Promise<unknown> => {
    const found = (await upstream("tx", params)) as Fields;
    // Recorded on miniwasm.
    return isAbove(found["height"]) ? fail(`tx (${String(found["hash"])}) not found`) : found;
  };
  const search = async (params: Fields): Promise<unknown> => {
    const bounded = { ...params, query: `${String(params["query"])} AND tx.height<=${head}` };
    const found = (await upstream("tx_search", bounded)) as { txs: readonly Fields[]; total_count: string };
    // A search by hash ignores all other conditions.
    const txs = found.txs.filter(({ height }) => !isAbove(height));
    const total = BigInt(found.total_count) - BigInt(found.txs.length - txs.length);
    return { ...found, txs, total_count: total.toString() };
  };
  const status = async (): Promise<unknown> => {
    const own = (await upstream("status", {})) as Fields;
    const { block_id: id, block: content } = (await upstream("block", { height: newest })) as {
      readonly block_id: Fields;
      readonly block: { readonly header: Fields };
    };
    const latest = {
      latest_block_hash: id["hash"],
      latest_app_hash: content.header["app_hash"],
      latest_block_height: newest,
      latest_block_time: content.header["time"],
    };
    // Our choice: a second behind does not count as catching up.
    return { ...own, sync_info: { ...(own["sync_info"] as Fields), ...latest } };
  };
  const info = async (): Promise<unknown> => {
    const { response } = (await upstream("abci_info", {})) as { readonly response: Fields };
    // The hash of this height is in the next block, which the replica does not have.
    const { last_block_app_hash: _, ...rest } = response;
    return { response: { ...rest, last_block_height: newest } };
  };

  return async (method, given) => {
    const params = (given ?? {}) as Fields;
    if (sameEverywhere.has(method)) return upstream(method, params);
    if (ofBlock.has(method)) return block(method, params);
    switch (method) {
      case "abci_info":
        return info();
      case "abci_query":
        return query(params);
      case "status":
        return status();
      case "tx":
        return transaction(params);
      case "tx_search":
        return search(params);
      default:
        throw new RpcRefusal({ code: -32601, message: "Method not found" });
    }
  };
}

/** The refusal of the Cosmos SDK 0.50, `baseapp/abci.go`, as CometBFT shows it. */
const inFuture = {
  code: 26,
  log: "cannot query with height in the future; please provide a valid height: invalid height",
  info: "",
  index: "0",
  key: null,
  value: null,
  proofOps: null,
  height: "0",
  codespace: "sdk",
};

function fail(data: string): never {
  throw new RpcRefusal({ code: -32603, message: "Internal error", data });
}
