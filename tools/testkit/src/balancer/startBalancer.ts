import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { seededRandom } from "../seededRandom.ts";
import { forward, jsonAnswer, readRequest, type ReplicaAnswer, type ReplicaRequest } from "./httpForward.ts";
import { followHeads } from "./upstreamHeads.ts";

/** A node and its replicas, over which one endpoint is balanced. */
export interface BalancerOptions {
  /** URL of the node. */
  readonly upstreamUrl: string;
  /** Lag of each replica behind the node, in milliseconds; a replica with 0 is the node itself. */
  readonly lagsMs: readonly number[];
  /** Seed for choosing the replica of each request. */
  readonly seed: number;
}

/** One endpoint on 127.0.0.1 over several replicas of a node. */
export interface Balancer extends AsyncDisposable {
  readonly url: string;
  /** Number of requests that each replica received, in the order of `lagsMs`. */
  readonly served: readonly number[];
  /** Frees the port; the node keeps running. */
  close(): Promise<void>;
}

/** The differences between the interfaces of nodes. */
export interface ReplicaInterface {
  /** The newest height whose state the node can read. */
  readonly readHeight: () => Promise<bigint>;
  /** Returns the answer of a replica whose newest block is `head`. */
  readonly answer: (request: ReplicaRequest, head: bigint) => Promise<ReplicaAnswer>;
}

/** Starts an endpoint that sends each request to one of the replicas, by a seeded choice. */
export async function startBalancer(options: BalancerOptions, replica: ReplicaInterface): Promise<Balancer> {
  const { upstreamUrl, lagsMs, seed } = options;
  const heads = await followHeads(replica.readHeight);
  const random = seededRandom(seed);
  const served = lagsMs.map(() => 0);
  const answer = async (message: IncomingMessage): Promise<ReplicaAnswer> => {
    const request = await readRequest(message);
    const chosen = random.below(lagsMs.length);
    served[chosen] = (served[chosen] ?? 0) + 1;
    const lagMs = lagsMs[chosen] ?? 0;
    return lagMs === 0 ? forward(upstreamUrl, request) : replica.answer(request, heads.headBefore(lagMs));
  };
  const server = createServer((message, response) => {
    answer(message)
      // A balancer's answer for a replica that does not answer.
      .catch((error: unknown) => jsonAnswer({ error: String(error) }, 502))
      .then(({ status, headers, body }) => response.writeHead(status, headers).end(body))
      .catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  const port = await listen(server);
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => {
      server.close(resolve);
    });
    server.closeAllConnections();
    await Promise.all([closed, heads.stop()]);
  };
  return { url: `http://127.0.0.1:${port}`, served, close, [Symbol.asyncDispose]: close };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return (server.address() as AddressInfo).port;
}
