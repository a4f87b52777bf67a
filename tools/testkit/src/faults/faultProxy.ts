import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { forward, readRequest, type ReplicaAnswer, type ReplicaRequest } from "../balancer/httpForward.ts";
import type { ChooseFault, ChosenFault } from "./faultChoice.ts";
import { FaultLog, type LoggedRequest } from "./faultLog.ts";
import type { FaultTiming } from "./faultTiming.ts";
import { playFault, type Reply } from "./playFault.ts";
import type { NodeProtocol } from "./protocol/nodeProtocol.ts";

/** Options of a proxy. */
export interface FaultProxyOptions {
  /** URL of the node. */
  readonly upstreamUrl: string;
  /** URL of a replica that lags behind. Default: the node, so that stale reads are fresh. */
  readonly staleUrl?: string;
  readonly protocol: NodeProtocol;
  readonly choose: ChooseFault;
  readonly timing: FaultTiming;
  /** Gas of a block as shown to the client, so that few rows fill a transaction. Default: the node's. */
  readonly blockGas?: bigint;
  /** Sends a transaction of the client's signer to the node; returns the outcome. Default: does nothing. */
  readonly writeAsOther?: () => Promise<string>;
  /** Sets the next block's base fee to this many gwei. Default: does nothing. */
  readonly jumpBaseFee?: (gwei: number) => Promise<void>;
  /** Called with each request before it is forwarded. */
  readonly onRequest?: (request: LoggedRequest) => void;
}

/** A proxy on 127.0.0.1 between a client and a node that injects faults. */
export interface FaultProxy extends AsyncDisposable {
  readonly url: string;
  readonly log: FaultLog;
  /** Frees the port; resolves once all requests have ended. */
  close(): Promise<void>;
}

/** Maximum number of attempts to open a closed port that another program took for a moment. */
const maxOpenings = 100;

/** Starts a proxy. */
export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const { upstreamUrl, staleUrl = upstreamUrl, protocol, choose, timing, blockGas, onRequest } = options;
  const log = new FaultLog();
  const underWay = new Map<LoggedRequest, Promise<void>>();
  let isClosed = false;
  let isDown = false;
  let reopening = Promise.resolve();
  const server = createServer((message, response) => {
    serve(message, response).catch(() => response.destroy());
  });

  const restart = (downMs: number): void => {
    if (isDown) return;
    isDown = true;
    // Open requests lose their answers.
    for (const { number, fault } of underWay.keys()) if (fault === undefined) log.amend(number, { fault: "restart" });
    server.close();
    server.closeAllConnections();
    const reopen = async (): Promise<void> => {
      await delay(downMs);
      if (!isClosed) await listen(server, port);
      isDown = false;
    };
    reopening = reopen();
  };
  const hand = async (url: string, request: ReplicaRequest): Promise<ReplicaAnswer> => {
    const answered = await forward(url, request);
    return blockGas === undefined ? answered : protocol.withBlockGas(request, answered, blockGas);
  };
  const reply = (request: ReplicaRequest, chosen: ChosenFault, number: number, left: AbortSignal): Promise<Reply> =>
    playFault(chosen, request, {
      protocol,
      timing,
      forward: (forwarded) => hand(upstreamUrl, forwarded),
      forwardStale: (forwarded) => hand(staleUrl, forwarded),
      restart,
      writeAsOther: options.writeAsOther ?? (() => Promise.resolve("nothing sent")),
      jumpBaseFee: options.jumpBaseFee ?? (() => Promise.resolve()),
      left,
      note: (detail) => log.amend(number, { detail }),
    });
  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await readRequest(message);
    const classified = protocol.classify(request);
    const chosen = choose(classified);
    const logged = log.add(classified, chosen?.kind);
    onRequest?.(logged);
    const left = new AbortController();
    response.once("close", () => left.abort());
    const replying =
      chosen === undefined ? hand(upstreamUrl, request) : reply(request, chosen, logged.number, left.signal);
    const answering = answer(response, replying);
    underWay.set(logged, answering);
    await answering.finally(() => underWay.delete(logged));
  };

  const port = await listen(server, 0);
  const close = async (): Promise<void> => {
    isClosed = true;
    await reopening;
    const closed = new Promise((resolve) => {
      server.close(resolve);
    });
    server.closeAllConnections();
    await Promise.allSettled([closed, ...underWay.values()]);
  };
  return { url: `http://127.0.0.1:${port}`, log, close, [Symbol.asyncDispose]: close };
}

async function answer(response: ServerResponse, replying: Promise<Reply>): Promise<void> {
  const reply = await replying;
  if (reply === "reset") response.socket?.resetAndDestroy();
  else response.writeHead(reply.status, reply.headers).end(reply.body);
}

/** Opens a port, 0 for any, and returns it. */
async function listen(server: Server, port: number): Promise<number> {
  for (let opening = 1; ; opening += 1) {
    try {
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, "127.0.0.1", () => {
          server.off("error", reject);
          resolve();
        });
      });
      return (server.address() as AddressInfo).port;
    } catch (error) {
      if (opening === maxOpenings) throw error;
      await delay(10);
    }
  }
}
