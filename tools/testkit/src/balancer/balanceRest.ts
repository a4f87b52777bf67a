import { forward } from "./httpForward.ts";
import { nodeStatusPath, restReplica } from "./restReplica.ts";
import { startBalancer, type Balancer, type BalancerOptions } from "./startBalancer.ts";

/**
 * Balances the REST interface of the Cosmos SDK over replicas of one node, which must keep the state of past blocks.
 *
 * @example
 * await using endpoint = await balanceRest({ upstreamUrl, lagsMs: [0, 1000], seed: fuzzSeed() });
 */
export function balanceRest(options: BalancerOptions): Promise<Balancer> {
  const { upstreamUrl } = options;
  return startBalancer(options, {
    readHeight: async () => {
      const { body } = await forward(upstreamUrl, { method: "GET", path: nodeStatusPath, headers: {}, body: "" });
      return BigInt((JSON.parse(body) as { readonly height: string }).height);
    },
    answer: (request, head) => restReplica((forwarded) => forward(upstreamUrl, forwarded), request, head),
  });
}
