import { evmReplica, type EvmFlavor } from "./evmReplica.ts";
import { answerRpc, rpcOf } from "./replicaRpc.ts";
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
