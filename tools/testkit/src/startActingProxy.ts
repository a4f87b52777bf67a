import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { forward, readRequest, type ReplicaRequest } from "./balancer/httpForward.ts";

/** A proxy in front of a node. */
export interface ActingProxy {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts a proxy that runs `act` right before it forwards the first request of a kind, so that the request meets the state that
 * `act` left.
 *
 * @param upstreamUrl - The node's endpoint: JSON-RPC, REST or CometBFT's RPC.
 * @param isMoment - Chooses the request; {@link handsOver} for the first transaction.
 * @param act - Awaited before the request is forwarded; its error fails that request.
 */
export async function startActingProxy(
  upstreamUrl: string,
  isMoment: (request: ReplicaRequest) => boolean,
  act: () => Promise<void>,
): Promise<ActingProxy> {
  let hasActed = false;
  const server = createServer((incoming, outgoing) => {
    const answer = async () => {
      const request = await readRequest(incoming);
      if (!hasActed && isMoment(request)) {
        hasActed = true;
        await act();
      }
      return forward(upstreamUrl, request);
    };
    answer().then(
      ({ status, headers, body }) => outgoing.writeHead(status, headers).end(body),
      (error: unknown) => outgoing.writeHead(502).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}

/** Returns whether a request broadcasts a transaction, in any node's protocol. */
export function handsOver({ method, path, body }: ReplicaRequest): boolean {
  if (method !== "POST") return false;
  return path.startsWith("/cosmos/tx/v1beta1/txs") || /"(eth_sendRawTransaction|broadcast_tx_sync)"/.test(body);
}
