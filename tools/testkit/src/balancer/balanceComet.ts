import { cometReplica } from "./cometReplica.ts";
import { answerRpc, rpcOf } from "./replicaRpc.ts";
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
