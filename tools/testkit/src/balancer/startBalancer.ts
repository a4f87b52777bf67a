import { setTimeout as delay } from "node:timers/promises";
import {
  forward,
  jsonAnswer,
  startProxy,
  type Proxy,
  type ProxyAnswer,
  type ProxyRequest,
} from "../proxy/startProxy.ts";
import { seededRandom } from "../seededRandom.ts";

const pauseMs = 10;

/** A node and its replicas, over which one endpoint is balanced. */
export interface BalancerOptions {
  /** URL of the node. */
  readonly upstreamUrl: string;
  /** Lag of each replica behind the node, in milliseconds; a replica with 0 is the node itself. */
  readonly lagsMs: readonly number[];
  /** Seed for choosing the replica of each request. */
  readonly seed: number;
}

/** One endpoint on 127.0.0.1 over several replicas of a node, which keeps running. */
export interface Balancer extends Proxy {
  /** Number of requests that each replica received, in the order of `lagsMs`. */
  readonly served: readonly number[];
}

/** The differences between the interfaces of nodes. */
export interface ReplicaInterface {
  /** The newest height whose state the node can read. */
  readonly readHeight: () => Promise<bigint>;
  /** Returns the answer of a replica whose newest block is `head`. */
  readonly answer: (request: ProxyRequest, head: bigint) => Promise<ProxyAnswer>;
}

/** Starts an endpoint that sends each request to one of the replicas, by a seeded choice. */
export async function startBalancer(options: BalancerOptions, replica: ReplicaInterface): Promise<Balancer> {
  const { upstreamUrl, lagsMs, seed } = options;
  const heads = await followHeads(replica.readHeight);
  const random = seededRandom(seed);
  const served = lagsMs.map(() => 0);
  const proxy = await startProxy((request) => {
    const chosen = random.below(lagsMs.length);
    served[chosen] = (served[chosen] ?? 0) + 1;
    const lagMs = lagsMs[chosen] ?? 0;
    const answering = lagMs === 0 ? forward(upstreamUrl, request) : replica.answer(request, heads.headBefore(lagMs));
    // A balancer's answer for a replica that does not answer.
    return answering.catch((error: unknown) => jsonAnswer({ error: String(error) }, 502));
  });
  const close = async (): Promise<void> => {
    await Promise.all([proxy.close(), heads.stop()]);
  };
  return { ...proxy, served, close, [Symbol.asyncDispose]: close };
}

/**
 * Follows the heights of a node by polling. A height counts from the answer that shows it, so that no replica is ahead of its lag.
 */
async function followHeads(readHeight: () => Promise<bigint>) {
  // The height at the start counts as old.
  const seen = [{ height: await readHeight(), at: Number.NEGATIVE_INFINITY }];
  const newest = () => seen.at(-1)?.height ?? 0n;
  const stopping = new AbortController();
  const follow = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await delay(pauseMs);
      const height = await readHeight().catch(newest);
      if (height > newest()) seen.push({ height, at: performance.now() });
    }
  };
  const following = follow();
  return {
    /** Returns the height that was the newest `lagMs` milliseconds ago. */
    headBefore: (lagMs: number) => seen.findLast(({ at }) => at <= performance.now() - lagMs)?.height ?? 0n,
    /** Ends the polling; resolves once no request is open. */
    stop: async () => {
      stopping.abort();
      await following;
    },
  };
}
