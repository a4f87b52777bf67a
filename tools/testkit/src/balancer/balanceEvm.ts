import { answerRpc, rpcOf, RpcRefusal, type CallMethod } from "../proxy/rpcCalls.ts";
import { startBalancer, type Balancer, type BalancerOptions } from "./startBalancer.ts";

export interface BalanceEvmOptions extends BalancerOptions {
  /** How a replica answers a read of a state that it does not have yet. */
  readonly flavor: EvmFlavor;
}

/**
 * Balances Ethereum's JSON-RPC over replicas of one node, which must keep the state of past blocks.
 *
 * @example
 * await using endpoint = await balanceEvm({ upstreamUrl, lagsMs: [0, 1000], seed: fuzzSeed(), flavor: "minievm" });
 */
export function balanceEvm(options: BalanceEvmOptions): Promise<Balancer> {
  const upstream = rpcOf(options.upstreamUrl);
  return startBalancer(options, {
    readHeight: async () => BigInt(String(await upstream("eth_blockNumber", []))),
    answer: ({ body }, head) => answerRpc(body, evmReplica(upstream, { head, flavor: options.flavor })),
  });
}

/**
 * How a replica answers a read of state above its head: with the error text of minievm v1.2.18, with that of geth and Hardhat, or
 * silently with the state of its head, as minievm does for a block whose state is not committed yet.
 */
export type EvmFlavor = "minievm" | "geth" | "silent";

const notThere: Readonly<Record<Exclude<EvmFlavor, "silent">, string>> = {
  minievm: "requested height is greater than the latest block height",
  geth: "header not found",
};

type Params = readonly unknown[];
type Fields = Readonly<Record<string, unknown>>;

/** Position of the block parameter in each method that reads state. */
const blockPosition: Readonly<Record<string, number>> = {
  eth_call: 1,
  eth_estimateGas: 1,
  eth_feeHistory: 1,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getStorageAt: 2,
  eth_getTransactionCount: 1,
};

/** Methods with the same answer on all replicas, and broadcasts, which every replica gossips immediately. */
const sameEverywhere = new Set([
  "eth_chainId",
  "eth_gasPrice",
  "eth_maxPriorityFeePerGas",
  "eth_sendRawTransaction",
  "net_version",
  "web3_clientVersion",
]);

/**
 * Imitates a node whose newest block is `head` with a node that is further.
 *
 * Our choice: the replica's pool is that of the upstream node, so a transaction in a block above the head is unknown here, and
 * not pending, and the pending nonce does not count it. Unsupported methods do not exist.
 */
export function evmReplica(
  upstream: CallMethod,
  { head, flavor }: { readonly head: bigint; readonly flavor: EvmFlavor },
): CallMethod {
  const at = (block: unknown): string => {
    if (typeof block === "string" && block.startsWith("0x")) {
      if (BigInt(block) <= head) return block;
      if (flavor !== "silent") throw new RpcRefusal({ code: -32000, message: notThere[flavor] });
      return quantity(head);
    }
    // `safe`, `finalized` and, but for nonces, `pending` are the newest block on Initia's nodes.
    return block === "earliest" ? block : quantity(head);
  };
  const isThere = (value: unknown, field: string): boolean => {
    const height = (value as Fields | null)?.[field];
    return typeof height !== "string" || BigInt(height) <= head;
  };
  const ofHead = async (method: string, params: Params, field: string): Promise<unknown> => {
    const value = await upstream(method, params);
    return isThere(value, field) ? value : null;
  };
  const pendingCount = async (address: unknown): Promise<string> => {
    const [committed, newest, pending] = await Promise.all(
      [quantity(head), "latest", "pending"].map((block) => upstream("eth_getTransactionCount", [address, block])),
    );
    const waiting = BigInt(String(pending)) - BigInt(String(newest));
    // A block may be made between the three requests.
    return quantity(BigInt(String(committed)) + (waiting > 0n ? waiting : 0n));
  };
  const blockByNumber = ([block, ...rest]: Params): Promise<unknown> => {
    if (typeof block === "string" && block.startsWith("0x") && BigInt(block) > head) return Promise.resolve(null);
    return upstream("eth_getBlockByNumber", [at(block), ...rest]);
  };
  const logs = async ([filter]: Params): Promise<unknown> => {
    const wanted = filter as Fields;
    const first = wanted["fromBlock"];
    // Our choice: a range that ends above the head ends at the head, as in geth before version 1.16.
    if (typeof first === "string" && first.startsWith("0x") && BigInt(first) > head) return [];
    const range =
      wanted["blockHash"] === undefined ? { fromBlock: at(first), toBlock: toBlock(wanted["toBlock"]) } : {};
    const found = (await upstream("eth_getLogs", [{ ...wanted, ...range }])) as readonly unknown[];
    return found.filter((log) => isThere(log, "blockNumber"));
  };
  const toBlock = (block: unknown): string =>
    at(typeof block === "string" && block.startsWith("0x") && BigInt(block) > head ? "latest" : block);

  return async (method, given) => {
    const params = (given ?? []) as Params;
    if (sameEverywhere.has(method)) return upstream(method, params);
    const position = blockPosition[method];
    if (method === "eth_getTransactionCount" && params[1] === "pending") return pendingCount(params[0]);
    if (position !== undefined) {
      return upstream(method, [...params.slice(0, position), at(params[position]), ...params.slice(position + 1)]);
    }
    switch (method) {
      case "eth_blockNumber":
        return quantity(head);
      case "eth_getBlockByNumber":
        return blockByNumber(params);
      case "eth_getBlockByHash":
        return ofHead(method, params, "number");
      case "eth_getTransactionByHash":
      case "eth_getTransactionReceipt":
        return ofHead(method, params, "blockNumber");
      case "eth_getLogs":
        return logs(params);
      default:
        throw new RpcRefusal({ code: -32601, message: `the method ${method} does not exist/is not available` });
    }
  };
}

function quantity(height: bigint): string {
  return `0x${height.toString(16)}`;
}
